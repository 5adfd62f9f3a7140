package dev.execserver.protocol.process;

import dev.execserver.protocol.rpc.ParamsReader;

/** Outcome of a request that concerns stdin. */
public enum WriteStatus {
    /** The data is queued. The child may never read it. */
    ACCEPTED("accepted"),
    UNKNOWN_PROCESS("unknownProcess"),
    /** The process was started without a stdin, or its stdin was closed. */
    STDIN_CLOSED("stdinClosed"),
    /** The start is still in progress. */
    STARTING("starting");

    private final String wire;

    WriteStatus(String wire) {
        this.wire = wire;
    }

    public String wire() {
        return wire;
    }

    static WriteStatus parse(String text) {
        for (WriteStatus status : values()) {
            if (status.wire.equals(text)) {
                return status;
            }
        }
        throw ParamsReader.unknownVariant(text, "one of `accepted`, `unknownProcess`, `stdinClosed`, `starting`");
    }
}
