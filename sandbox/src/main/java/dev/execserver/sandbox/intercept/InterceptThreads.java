package dev.execserver.sandbox.intercept;

import java.util.concurrent.ThreadFactory;

/** Makes all threads of this package. None of them keeps the JVM alive. */
final class InterceptThreads {
    private InterceptThreads() {}

    static ThreadFactory workers(Thread.UncaughtExceptionHandler handler) {
        return Thread.ofPlatform()
                .daemon()
                .name("exec-worker-", 0)
                .uncaughtExceptionHandler(handler)
                .factory();
    }

    static Thread virtual(String name, Runnable body) {
        return Thread.ofVirtual().name(name).start(body);
    }

    static Thread unstarted(String name, Runnable body) {
        return Thread.ofVirtual().name(name).unstarted(body);
    }
}
