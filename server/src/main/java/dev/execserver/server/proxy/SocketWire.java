package dev.execserver.server.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/** A TCP connection. Virtual threads park in it. */
final class SocketWire implements Wire {

    private final Socket socket;
    private final InputStream input;
    private final OutputStream output;

    /** @throws IOException when it has ended already */
    SocketWire(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        this.input = socket.getInputStream();
        this.output = socket.getOutputStream();
    }

    /** A connection that was accepted. */
    static SocketWire of(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        return new SocketWire(channel.socket());
    }

    @Override
    public InputStream input() {
        return input;
    }

    @Override
    public OutputStream output() {
        return output;
    }

    @Override
    public void shutdownOutput() throws IOException {
        socket.shutdownOutput();
    }

    @Override
    public Optional<String> peer() {
        return socket.getRemoteSocketAddress() instanceof InetSocketAddress peer
                ? Optional.of(HostName.bracketed(HostName.text(address(peer))) + ":" + peer.getPort())
                : Optional.empty();
    }

    private static InetAddress address(InetSocketAddress peer) {
        return peer.getAddress();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // it is closed all the same
        }
    }
}
