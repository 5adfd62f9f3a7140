package dev.execserver.sandbox.intercept;

/** Makes the virtual threads of this package. */
final class Threads {
    private Threads() {}

    static Thread virtual(String name, Runnable body) {
        return Thread.ofVirtual().name(name).start(body);
    }

    static Thread unstarted(String name, Runnable body) {
        return Thread.ofVirtual().name(name).unstarted(body);
    }
}
