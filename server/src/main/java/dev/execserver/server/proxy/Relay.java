package dev.execserver.server.proxy;

import dev.execserver.server.concurrent.Threads;
import java.io.IOException;

/**
 * Carries bytes both ways until both have ended, each at the speed of its receiver; an end is passed on while the other
 * direction goes on. The calling thread carries what the process sends, a second virtual thread the rest.
 */
final class Relay {

    private Relay() {}

    /** @param fromTarget what the target sends, read so far by nobody */
    static void run(Visit visit, Wire target, ByteSource fromTarget, Exchange exchange) {
        Thread back = Threads.virtual(
                "proxy-back",
                () -> copy(visit, fromTarget, visit.wire(), (bytes, count) -> exchange.countReceived(count)));
        copy(visit, visit.source(), target, (bytes, count) -> exchange.countSent(count));
        join(back);
    }

    private static void copy(Visit visit, ByteSource from, Wire to, Body.Sink counter) {
        CopyBuffer buffer = new CopyBuffer();
        try {
            for (int count = from.read(buffer.bytes()); count >= 0; count = from.read(buffer.bytes())) {
                to.output().write(buffer.bytes(), 0, count);
                visit.watch().touch();
                counter.write(buffer.bytes(), count);
                buffer.moved(count);
            }
            to.shutdownOutput();
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
