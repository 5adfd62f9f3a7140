package dev.execserver.server.transport.websocket;

import io.helidon.webserver.WebServer;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.channels.ServerSocketChannel;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Helidon server that listens now. It can be replaced, because Helidon ends a listener after one failed accept(2).
 *
 * <p>Threads: the threads that start and stop the server, the timer for {@link #replace}. No locks.
 */
final class HttpListener {
    private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);

    private final ListenPlace place;
    private final Function<ListenPlace, WebServer> servers;
    /** Written by {@link #start}, then by the timer alone. */
    private volatile WebServer current;

    private volatile boolean stopped;

    private HttpListener(ListenPlace place, Function<ListenPlace, WebServer> servers, WebServer first) {
        this.place = place;
        this.servers = servers;
        this.current = first;
    }

    /**
     * Begins to listen.
     *
     * @param wanted place that was prepared
     * @param servers makes a server for a place, not started
     */
    static HttpListener start(ListenPlace wanted, Function<ListenPlace, WebServer> servers) throws ListenException {
        WebServer first = servers.apply(wanted).start();
        if (!first.isRunning()) {
            throw ListenException.unknown();
        }
        try {
            return new HttpListener(wanted.opened(first), servers, first);
        } catch (ListenException e) {
            first.stop();
            throw e;
        }
    }

    /** Returns the place it listens on, with the real port. */
    ListenPlace place() {
        return place;
    }

    /**
     * Listens with a new server. The old server's connections are lost; their sessions wait for the clients to come
     * back.
     *
     * @return false if that has failed and nothing has changed
     */
    boolean replace() {
        WebServer lost = current;
        try {
            WebServer next = servers.apply(place).start();
            if (!next.isRunning()) {
                return false; // Helidon has logged why
            }
            current = next;
            ListenPlace _ = place.opened(next);
        } catch (ListenException | RuntimeException e) {
            LOG.error("cannot listen again: {}", e.toString());
            return false;
        }
        letGo(lost);
        if (stopped) {
            current.stop(); // stop() may have stopped only the old server
        }
        return true;
    }

    /** Stops listening, even while {@link #replace} runs. */
    void stop() {
        stopped = true;
        WebServer last = current;
        last.stop();
        letGo(last); // this server may have failed without being replaced
    }

    /**
     * Ends the thread of a listener whose accept(2) has failed. Helidon 4.5.0 stops such a listener on the listener's
     * own thread, which then waits for its own end. So would the thread that stops the server. The listener's thread is
     * no daemon and would keep an embedding program from ending. Only private fields give access to it; if they are
     * missing, it stays.
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

    /**
     * Returns the listening channel of a server, which Helidon 4.5.0 keeps to itself.
     *
     * @throws ListenException if the private field is missing
     */
    static ServerSocketChannel channel(WebServer server) throws ListenException {
        try {
            Object listener =
                    ((Map<?, ?>) value(server, "listeners")).values().iterator().next();
            return (ServerSocketChannel) value(listener, "serverSocket");
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw ListenException.of(new IOException("a socket that was passed cannot be used: " + e, e));
        }
    }

    private static Object value(Object of, String field) throws ReflectiveOperationException {
        Field found = of.getClass().getDeclaredField(field);
        found.setAccessible(true);
        return found.get(of);
    }
}
