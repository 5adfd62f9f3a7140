package dev.execserver.helper.wire;

/** Factory of all threads of the helper. They are daemons. */
final class HelperThreads {
    private static final long STACK_BYTES = 256 * 1024;

    private HelperThreads() {}

    /** Returns a new thread that runs requests, not yet started. */
    static Thread worker(Runnable task) {
        Thread thread = new Thread(null, task, "worker", STACK_BYTES);
        thread.setDaemon(true);
        return thread;
    }
}
