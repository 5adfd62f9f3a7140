package dev.execserver.sandbox.resolve;

/** Makes all threads of this package. */
final class ResolveThreads {
    private ResolveThreads() {}

    static Thread virtual(String name, Runnable body) {
        return Thread.ofVirtual().name(name).start(body);
    }
}
