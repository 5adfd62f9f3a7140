package dev.execserver.server.process;

import dev.execserver.protocol.process.StartParams;

/** What is remembered of a process. */
final class Remembered {

    /** Besides strings: its objects, locks and threads, roughly. */
    private static final long OWN_BYTES = 4 * 1024L;

    private static final long STRING_BYTES = 16;

    private Remembered() {}

    /** Strings count as two bytes a character, which is what they take when any of it is not Latin-1. */
    static long bytes(StartParams params) {
        long characters =
                (long) params.processId().length() + params.arg0().orElse("").length();
        for (String argument : params.argv()) {
            characters += argument.length() + STRING_BYTES;
        }
        return OWN_BYTES + params.cwd().bytes().length + 2 * characters;
    }
}
