package dev.execserver.sandbox.spawn;

/** The only place of this package where threads are made: platform threads that never keep the JVM alive. */
final class Threads {
    private Threads() {}

    static Thread daemon(String name, Runnable body) {
        return Thread.ofPlatform().daemon().name(name).start(body);
    }

    static Thread virtual(String name, Runnable body) {
        return Thread.ofVirtual().name(name).start(body);
    }
}
