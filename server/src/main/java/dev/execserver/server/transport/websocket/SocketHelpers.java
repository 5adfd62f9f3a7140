package dev.execserver.server.transport.websocket;

import dev.execserver.sandbox.linux.TcpQueues;
import dev.execserver.server.transport.files.RawConnection;
import dev.execserver.server.transport.origin.ClientAddress;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.OptionalLong;

/** Helpers for sockets. */
final class SocketHelpers {
    private SocketHelpers() {}

    static void drop(SocketChannel channel, boolean discard) {
        try {
            if (discard) {
                // socket(7): with zero linger time close() resets the connection and frees the send queue at once
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
        } catch (IOException e) {
            // already closed
        }
        try {
            channel.close();
        } catch (IOException e) {
            // nothing more can be done
        }
    }

    static OptionalLong unacknowledgedBytes(SocketChannel channel) {
        try {
            return channel.getLocalAddress() instanceof InetSocketAddress local
                            && channel.getRemoteAddress() instanceof InetSocketAddress remote
                    ? TcpQueues.unacknowledged(local, remote)
                    : OptionalLong.empty();
        } catch (IOException e) {
            return OptionalLong.empty(); // closed
        }
    }

    /** Returns the client of the current request, or the peer if its request could not be read. */
    static ClientAddress client(RawConnection connection) {
        return connection.client().orElseGet(() -> ClientAddress.direct(text(connection.peer())));
    }

    /** Returns {@code 127.0.0.1:80} or {@code [::1]:80}. */
    static String text(SocketAddress address) {
        if (!(address instanceof InetSocketAddress internet)) {
            return String.valueOf(address);
        }
        String host = internet.getAddress() == null
                ? internet.getHostString()
                : internet.getAddress().getHostAddress();
        return internet.getAddress() instanceof Inet6Address
                ? "[" + Inet6Text.shorten(host) + "]:" + internet.getPort()
                : host + ":" + internet.getPort();
    }
}
