package dev.execserver.protocol.fs;

import dev.execserver.protocol.rpc.ParamsReader;

/** Purpose of a handle of {@code fs/open}. */
public enum OpenMode {
    READ("read"),
    /** Creates the file or empties it; the handle can only write. */
    REPLACE("replace");

    private final String wire;

    OpenMode(String wire) {
        this.wire = wire;
    }

    /** Returns the name in the protocol. */
    public String wire() {
        return wire;
    }

    static OpenMode parse(String text) {
        return switch (text) {
            case "read" -> READ;
            case "replace" -> REPLACE;
            default -> throw ParamsReader.unknownVariant(text, "`read` or `replace`");
        };
    }
}
