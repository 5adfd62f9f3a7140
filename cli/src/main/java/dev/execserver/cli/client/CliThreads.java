package dev.execserver.cli.client;

/** Makes the threads of the client commands. They do not keep the program alive. */
final class CliThreads {
    private CliThreads() {}

    /** Starts a daemon platform thread, for work that blocks in the kernel. */
    static Thread daemon(String name, Runnable work) {
        return Thread.ofPlatform().daemon().name(name).start(work);
    }
}
