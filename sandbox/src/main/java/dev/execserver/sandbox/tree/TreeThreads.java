package dev.execserver.sandbox.tree;

/** Makes all threads of this package. None of them keeps the JVM alive. */
final class TreeThreads {
    private TreeThreads() {}

    static Thread daemon(String name, Runnable body) {
        return Thread.ofPlatform().daemon().name(name).start(body);
    }

    static Thread virtual(String name, Runnable body) {
        return Thread.ofVirtual().name(name).start(body);
    }
}
