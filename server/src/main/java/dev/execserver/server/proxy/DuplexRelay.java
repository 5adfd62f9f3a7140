package dev.execserver.server.proxy;

import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.proxy.http.PeerInput;
import java.io.IOException;
import java.util.function.LongConsumer;

/**
 * Relays bytes both ways until both directions have ended, each at the speed of its receiver. The end of one direction
 * is passed on while the other goes on. The calling thread copies from the process, a second virtual thread copies to
 * it.
 */
final class DuplexRelay {

    private DuplexRelay() {}

    /** @param fromTarget input from the target, with bytes that were read and not yet relayed */
    static void run(ProxyConnection visit, TcpConnection target, PeerInput fromTarget, Exchange exchange) {
        Thread back = Threads.virtual(
                "proxy-back", () -> copy(visit, fromTarget, target, visit.wire(), exchange::countReceived));
        copy(visit, visit.source(), visit.wire(), target, exchange::countSent);
        Threads.join(back);
    }

    /** @param buffered input from {@code from}, with bytes that were read and not yet relayed */
    private static void copy(
            ProxyConnection visit, PeerInput buffered, TcpConnection from, TcpConnection to, LongConsumer counter) {
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
            visit.close(); // if one direction breaks, the other has no peer left
        }
    }
}
