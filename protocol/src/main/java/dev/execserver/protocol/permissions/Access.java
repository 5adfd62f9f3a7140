package dev.execserver.protocol.permissions;

import dev.execserver.protocol.rpc.ParamsReader;

/** Access that an entry grants. If two entries name the same path, the later constant wins. */
public enum Access {
    READ("read"),
    /** Includes reading. */
    WRITE("write"),
    /** Neither reading nor writing. Older clients call it {@code none}. */
    DENY("deny");

    private final String wire;

    Access(String wire) {
        this.wire = wire;
    }

    public String wire() {
        return wire;
    }

    public boolean readable() {
        return this != DENY;
    }

    public boolean writable() {
        return this == WRITE;
    }

    public static Access parse(String text) {
        return switch (text) {
            case "read" -> READ;
            case "write" -> WRITE;
            case "deny", "none" -> DENY;
            default -> throw ParamsReader.unknownVariant(text, "one of `read`, `write`, `deny`");
        };
    }
}
