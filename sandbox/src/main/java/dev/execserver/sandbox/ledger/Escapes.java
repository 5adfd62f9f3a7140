package dev.execserver.sandbox.ledger;

/** Encodes paths as words of ASCII text: every unusual byte becomes {@code \0ooo}, as printf(1) reads it with %b. Stateless. */
final class Escapes {
    private Escapes() {}

    static String escape(byte[] path) {
        StringBuilder text = new StringBuilder();
        for (byte b : path) {
            int value = Byte.toUnsignedInt(b);
            boolean plain =
                    b == '/' || b == '.' || b == '-' || b == '_' || (value < 128 && Character.isLetterOrDigit(b));
            text.append(plain ? String.valueOf((char) value) : "\\0%03o".formatted(value));
        }
        return text.toString();
    }
}
