package dev.execserver.sandbox.connect;

/** Makes the threads of this package. */
final class ConnectThreads {
    private ConnectThreads() {}

    static Thread unstarted(String name, Runnable body) {
        return Thread.ofVirtual().name(name).unstarted(body);
    }
}
