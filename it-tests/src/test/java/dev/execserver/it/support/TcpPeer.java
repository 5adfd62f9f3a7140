package dev.execserver.it.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A TCP server on the loopback interface that lets a test serve each connection, on a virtual thread each. */
public final class TcpPeer implements AutoCloseable {
    /** Serves one connection, which is closed afterwards. */
    @FunctionalInterface
    public interface Service {
        void serve(Socket connection) throws IOException;
    }

    private final ServerSocket listener;

    private TcpPeer(ServerSocket listener, Service service) {
        this.listener = listener;
        Thread.ofPlatform().daemon().name("tcp-peer").start(() -> accept(service));
    }

    public static TcpPeer serving(Service service) {
        return on("127.0.0.1", service);
    }

    public static TcpPeer on(String address, Service service) {
        return on(address, 0, service);
    }

    /** @param port 0 for any free port */
    public static TcpPeer on(String address, int port, Service service) {
        try {
            return new TcpPeer(new ServerSocket(port, 1000, InetAddress.getByName(address)), service);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return listener.getLocalPort();
    }

    private void accept(Service service) {
        try {
            while (true) {
                Socket connection = listener.accept();
                if (listener.isClosed()) {
                    connection.close(); // an accept that was under way may still succeed
                    return;
                }
                Thread.ofVirtual().start(() -> serve(service, connection));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private static void serve(Service service, Socket connection) {
        try (connection) {
            service.serve(connection);
        } catch (IOException e) {
            // A test asserts its own expectations.
        }
    }

    /** Stops listening; open connections go on. */
    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
