package dev.execserver.server.transport.grpc;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Encodes text for {@code grpc-message}: UTF-8, with percent signs for what a header cannot have. Stateless. */
final class GrpcText {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    /** Longest text; clients limit the size of all headers together. */
    static final int MAX_BYTES = 2048;

    private GrpcText() {}

    static String encode(String text) {
        StringBuilder out = new StringBuilder();
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            if (out.length() >= MAX_BYTES) {
                break;
            }
            if (each >= ' ' && each <= '~' && each != '%') {
                out.append((char) each);
            } else {
                out.append('%').append(HEX.toHexDigits(each));
            }
        }
        return out.toString();
    }
}
