package dev.execserver.server.proxy;

import dev.execserver.server.concurrent.Threads;
import java.io.IOException;
import java.util.function.LongConsumer;

/**
 * Carries bytes both ways until both have ended, each at the speed of its receiver; an end is passed on while the other
 * direction goes on. The calling thread carries what the process sends, a second virtual thread the rest.
 */
final class Relay {

    private Relay() {}

    /** @param fromTarget what was read from the target and not yet carried */
    static void run(Visit visit, Wire target, ByteSource fromTarget, Exchange exchange) {
        Thread back = Threads.virtual(
                "proxy-back", () -> copy(visit, fromTarget, target, visit.wire(), exchange::countReceived));
        copy(visit, visit.source(), visit.wire(), target, exchange::countSent);
        join(back);
    }

    /** @param buffered what was read of {@code from} and not yet carried */
    private static void copy(Visit visit, ByteSource buffered, Wire from, Wire to, LongConsumer counter) {
        LongConsumer watcher = count -> {
            visit.watch().touch();
            counter.accept(count);
        };
        try {
            byte[] rest = buffered.rest();
            to.output().write(rest);
            watcher.accept(rest.length);
            from.carryTo(to, watcher);
        } catch (IOException e) {
            visit.close(); // when one direction breaks there is nobody left to talk to
        }
    }

    static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
