package dev.execserver.server.transport.codec;

import dev.execserver.server.transport.CloseReason;
import java.io.IOException;

/** Reports that the peer broke a rule of RFC 6455 or exceeded a limit. The connection ends with this reason. */
public final class WebSocketException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient CloseReason reason;

    public WebSocketException(CloseReason reason) {
        super(reason.toString());
        this.reason = reason;
    }

    static WebSocketException protocol(String text) {
        return new WebSocketException(CloseReason.PROTOCOL_ERROR.because(text));
    }

    static WebSocketException tooBig(String text) {
        return new WebSocketException(CloseReason.TOO_BIG.because(text));
    }

    public CloseReason reason() {
        return reason;
    }
}
