package dev.execserver.sandbox.seccomp;

/**
 * Rules that keep the mark of a command, a limit that its processes inherit (see {@code ProcessMark}). A process that sheds it would outlive
 * the command, and no server would know that it is confined when it connects.
 */
final class MarkRules {
    static final int RLIMIT_RTTIME = 15;

    private MarkRules() {}

    /** setrlimit(2). */
    static void ofSetrlimit(Bpf bpf, int call, int denial) {
        bpf.skipUnlessEqual(call, 4)
                .load(Bpf.argument(0))
                .skipUnlessEqual(RLIMIT_RTTIME, 1)
                .answer(denial)
                .answer(Bpf.ALLOW);
    }

    /** prlimit(2) of whatever process. New limits are a pointer, of which both halves count; without one they are read. */
    static void ofPrlimit(Bpf bpf, int call, int denial) {
        bpf.skipUnlessEqual(call, 8)
                .load(Bpf.argument(1))
                .skipUnlessEqual(RLIMIT_RTTIME, 5)
                .load(Bpf.argument(2))
                .skipUnlessEqual(0, 2)
                .load(Bpf.argument(2) + 4)
                .skipIfEqual(0, 1)
                .answer(denial)
                .answer(Bpf.ALLOW);
    }
}
