package dev.execserver.server.process;

import dev.execserver.protocol.process.StartParams;

/** Estimates the heap bytes of the record of one process. */
final class RecordSize {

    /** Bytes besides strings: objects, locks and threads, roughly. */
    private static final long OWN_BYTES = 4 * 1024L;

    private static final long STRING_BYTES = 16;

    private RecordSize() {}

    /** Returns the estimate. Counts two bytes for each character, which a string takes unless all of it is Latin-1. */
    static long bytes(StartParams params) {
        long characters =
                (long) params.processId().length() + params.arg0().orElse("").length();
        for (String argument : params.argv()) {
            characters += argument.length() + STRING_BYTES;
        }
        return OWN_BYTES + params.cwd().bytes().length + 2 * characters;
    }
}
