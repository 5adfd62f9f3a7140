package dev.execserver.server.transport.websocket;

import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.UnixSockets;
import dev.execserver.server.transport.auth.LocalPeer;
import java.io.IOException;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.nio.channels.Channel;
import java.nio.channels.SocketChannel;
import java.util.HexFormat;
import java.util.OptionalLong;

/**
 * Asks the kernel who has connected to a Unix socket. The JDK tells neither the process nor the number of the user, and
 * hides the descriptor that the kernel has to be asked with; the program's manifest opens the JDK's package for that.
 * Stateless.
 */
final class UnixPeers {
    private UnixPeers() {}

    /** @throws IOException if nobody can be told, so that nobody may be served */
    static LocalPeer of(SocketChannel channel) throws IOException {
        int descriptor = descriptor(channel);
        try {
            UnixSockets.Credentials credentials = UnixSockets.credentials(descriptor);
            return new LocalPeer(credentials.uid(), credentials.pid(), peer(descriptor), name(channel));
        } catch (LinuxException e) {
            throw new IOException("the peer of a Unix socket is not known", e);
        }
    }

    /** Returns the name that Helidon (4.5.0) gives to the connection. */
    private static String name(SocketChannel channel) {
        return "0x" + HexFormat.of().toHexDigits(System.identityHashCode(channel));
    }

    private static OptionalLong peer(int descriptor) {
        try {
            return UnixSockets.peer(descriptor);
        } catch (LinuxException e) {
            return OptionalLong
                    .empty(); // no unix_diag in this kernel: whoever needs to know treats the peer as unknown
        }
    }

    /** Returns true if the peers of Unix sockets can be told in this program. */
    static boolean possible() {
        try (SocketChannel channel = SocketChannel.open()) {
            return descriptor(channel) >= 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the number of the descriptor of a channel. */
    static int descriptor(Channel channel) throws IOException {
        try {
            Method number = channel.getClass().getMethod("getFDVal");
            number.setAccessible(true);
            return (int) number.invoke(channel);
        } catch (ReflectiveOperationException | InaccessibleObjectException e) {
            throw new IOException(
                    "this program may not ask for the peers of Unix sockets; start Java with"
                            + " --add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                    e);
        }
    }
}
