package dev.execserver.server.transport.websocket;

import java.io.IOException;

/** Reports an address on which the server cannot listen. The message is meant for the operator. */
public final class ListenException extends IOException {
    private static final long serialVersionUID = 1L;
    private static final String IN_USE = "Address in use (os error 98)";

    private ListenException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Converts the texts of the JDK to those that the command line promises. */
    static ListenException of(IOException cause) {
        String text = String.valueOf(cause.getMessage());
        return new ListenException(
                switch (text) {
                    case "Address already in use" -> IN_USE;
                    case "Cannot assign requested address" -> text + " (os error 99)";
                    case "Permission denied" -> text + " (os error 13)";
                    default -> text;
                },
                cause);
    }

    static ListenException unknown() {
        return new ListenException("listener did not start", null);
    }

    public boolean addressInUse() {
        return IN_USE.equals(getMessage());
    }
}
