package dev.execserver.sandbox.io;

/** Makes all threads of this package. None of them keeps the JVM alive. */
final class IoThreads {
    private IoThreads() {}

    static Thread daemon(String name, Runnable body) {
        return Thread.ofPlatform().daemon().name(name).start(body);
    }
}
