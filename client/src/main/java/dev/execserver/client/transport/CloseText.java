package dev.execserver.client.transport;

import dev.execserver.protocol.text.VisibleText;
import java.nio.charset.StandardCharsets;

/** Makes a text of the payload of a close frame: the code and the reason (RFC 6455 section 5.5.1). */
final class CloseText {

    private CloseText() {}

    static String of(byte[] payload) {
        if (payload.length < 2) {
            return "closed without a code";
        }
        int code = (payload[0] & 0xFF) << 8 | payload[1] & 0xFF;
        String text = VisibleText.oneLine(new String(payload, 2, payload.length - 2, StandardCharsets.UTF_8));
        return text.isEmpty() ? Integer.toString(code) : code + " " + text;
    }
}
