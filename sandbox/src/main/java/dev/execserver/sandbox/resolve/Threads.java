package dev.execserver.sandbox.resolve;

/** The only place of this package where threads are made. */
final class Threads {
    private Threads() {}

    static Thread virtual(String name, Runnable body) {
        return Thread.ofVirtual().name(name).start(body);
    }
}
