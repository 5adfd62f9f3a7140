package dev.execserver.server.transport.websocket;

import io.helidon.webserver.WebServer;
import java.lang.reflect.Field;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Helidon server that listens at the moment. Another one can take its place, because Helidon ends a listener whose
 * accept(2) has failed once.
 *
 * <p>Threads: whoever starts and stops the server, the timer for {@link #replace}. No locks.
 */
final class HttpListener {
    private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);

    private final InetSocketAddress address;
    private final Function<InetSocketAddress, WebServer> servers;
    /** Written by {@link #start}, then by the timer alone. */
    private volatile WebServer current;

    private volatile boolean stopped;

    private HttpListener(InetSocketAddress address, Function<InetSocketAddress, WebServer> servers, WebServer first) {
        this.address = address;
        this.servers = servers;
        this.current = first;
    }

    /**
     * Begins to listen.
     *
     * @param wanted port 0 for any free one
     * @param servers makes one for an address that was not started yet
     */
    static HttpListener start(InetSocketAddress wanted, Function<InetSocketAddress, WebServer> servers)
            throws ListenException {
        WebServer first = servers.apply(wanted).start();
        if (!first.isRunning()) {
            throw ListenException.unknown();
        }
        return new HttpListener(new InetSocketAddress(wanted.getAddress(), first.port()), servers, first);
    }

    /** Where it listens, with the port that it was given. */
    InetSocketAddress address() {
        return address;
    }

    /**
     * Listens with a new server. The connections are lost with the old one; their sessions wait for them to come back.
     *
     * @return false when that has failed; nothing has changed then
     */
    boolean replace() {
        WebServer lost = current;
        try {
            WebServer next = servers.apply(address).start();
            if (!next.isRunning()) {
                return false; // Helidon has logged why
            }
            current = next;
        } catch (RuntimeException e) {
            LOG.error("cannot listen again: {}", e.toString());
            return false;
        }
        letGo(lost);
        if (stopped) {
            current.stop(); // stop() may have met the lost one
        }
        return true;
    }

    /** Listens no more, whatever {@link #replace} is about to do. */
    void stop() {
        stopped = true;
        WebServer last = current;
        last.stop();
        letGo(last); // it may be lost and not replaced yet
    }

    /**
     * Ends the thread of a listener whose accept(2) has failed: Helidon 4.5.0 stops such a listener on its own thread, which
     * then waits for its own end, and so would whoever stopped it. The thread is no daemon and would keep an embedding
     * program from ending. There is no way to it but the private fields; without them it stays.
     */
    private static void letGo(WebServer lost) {
        try {
            for (Object listener : ((Map<?, ?>) value(lost, "listeners")).values()) {
                boolean _ = ((CompletableFuture<?>) value(listener, "closeFuture")).complete(null);
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.warn("the thread of the old listener stays: {}", e.toString());
        }
    }

    private static Object value(Object of, String field) throws ReflectiveOperationException {
        Field found = of.getClass().getDeclaredField(field);
        found.setAccessible(true);
        return found.get(of);
    }
}
