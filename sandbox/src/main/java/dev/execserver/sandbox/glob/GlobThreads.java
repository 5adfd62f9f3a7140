package dev.execserver.sandbox.glob;

/** Makes all threads of this package. */
final class GlobThreads {
    private GlobThreads() {}

    static Thread virtual(String name, Runnable body) {
        return Thread.ofVirtual().name(name).start(body);
    }
}
