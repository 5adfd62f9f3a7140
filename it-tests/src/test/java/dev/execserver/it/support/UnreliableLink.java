package dev.execserver.it.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A TCP proxy on loopback with faults on demand: it cuts connections, also in the middle of a piece of data, delays data, or
 * goes silent without closing anything. Two threads per connection.
 */
public final class UnreliableLink implements AutoCloseable {

    /** A fault of a connection. */
    public enum Trouble {
        /** Both sockets are reset. */
        CUT,
        /** Half of the next piece is passed on, then both are reset. */
        TRUNCATE,
        /** The next piece is passed on late. */
        DELAY,
        /** Nothing is passed on any more, without a notice to either side. */
        SILENCE
    }

    private static final long DELAY_NANOS = 50_000_000L;

    private final ServerSocket listener;
    private final int target;
    private final Set<Pair> pairs = ConcurrentHashMap.newKeySet();
    private volatile boolean down;
    private final AtomicInteger troubles = new AtomicInteger();

    private UnreliableLink(ServerSocket listener, int target) {
        this.listener = listener;
        this.target = target;
        Thread.ofPlatform().daemon().name("link-accept").start(this::accept);
    }

    public static UnreliableLink to(int port) {
        try {
            return new UnreliableLink(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Returns the number of faults so far. */
    public int troubles() {
        return troubles.get();
    }

    /** Causes a fault in one of the connections; false if there is none. */
    public boolean trouble(Trouble kind, Random random) {
        Pair[] now = pairs.toArray(Pair[]::new);
        if (now.length == 0) {
            return false;
        }
        now[random.nextInt(now.length)].trouble(kind);
        troubles.incrementAndGet();
        return true;
    }

    /** Cuts all connections and every new one, until it is up again. */
    public void down(boolean value) {
        down = value;
        if (value) {
            pairs.forEach(Pair::cut);
        }
    }

    private void accept() {
        try {
            while (true) {
                connect(listener.accept());
            }
        } catch (IOException closed) {
            pairs.forEach(Pair::cut);
        }
    }

    /** Connects a client. If no server listens at the target, the client sees its connection close. */
    private void connect(Socket client) throws IOException {
        if (down) {
            Pair.reset(client);
            return;
        }
        Socket server;
        try {
            server = new Socket(InetAddress.getLoopbackAddress(), target);
        } catch (ConnectException refused) {
            client.close();
            return;
        }
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        Pair pair = new Pair(client, server);
        pairs.add(pair);
        pair.start();
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        pairs.forEach(Pair::cut);
    }

    /** One connection through the link. */
    private final class Pair {
        private final Socket client;
        private final Socket server;
        private volatile Trouble pending;
        private volatile boolean silenced;

        Pair(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void start() {
            Thread.ofPlatform().daemon().name("link-up").start(() -> pass(client, server));
            Thread.ofPlatform().daemon().name("link-down").start(() -> pass(server, client));
        }

        void trouble(Trouble kind) {
            if (kind == Trouble.CUT) {
                cut();
            } else if (pending != Trouble.SILENCE) {
                // Swallowed bytes are lost, so a silent connection must never send again.
                pending = kind;
            }
        }

        private void pass(Socket from, Socket to) {
            byte[] piece = new byte[32 * 1024];
            try (InputStream in = from.getInputStream();
                    OutputStream out = to.getOutputStream()) {
                for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
                    Trouble now = pending;
                    if (now == Trouble.SILENCE) {
                        silenced = true;
                    }
                    if (silenced) {
                        continue;
                    }
                    if (now == Trouble.TRUNCATE) {
                        out.write(piece, 0, count / 2);
                        break;
                    }
                    if (now == Trouble.DELAY) {
                        pending = null; // a silence that is set at this moment may be lost, but no byte
                        LockSupport.parkNanos(DELAY_NANOS);
                    }
                    out.write(piece, 0, count);
                }
            } catch (IOException gone) {
                // the cut ends the other direction, too
            } finally {
                cut();
            }
        }

        private void cut() {
            pairs.remove(this);
            reset(client);
            reset(server);
        }

        private static void reset(Socket socket) {
            try {
                socket.setSoLinger(true, 0);
                socket.close();
            } catch (IOException e) {
                // closed already
            }
        }
    }
}
