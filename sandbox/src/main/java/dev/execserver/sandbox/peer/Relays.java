package dev.execserver.sandbox.peer;

import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LocalSockets;
import dev.execserver.sandbox.linux.TcpCalls;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;

/**
 * Makes the connections of proxies and bridges, on behalf of commands. They carry a label for the servers of this machine, which would see
 * the connecting server as the process at the other end. The label is a traffic class (ip(7)) that nothing else uses. Stateless; any
 * thread.
 */
public final class Relays {
    /** Code point 43, of those that are for local use (RFC 2474, section 6, pool 2). */
    private static final int LABEL = 43 << 2;

    private Relays() {}

    /** As {@link TcpCalls#connect}. Labelled from the start when the address is one of this machine: elsewhere nobody can ask. */
    public static Fd connect(InetSocketAddress address) {
        return TcpCalls.connect(address, here(address.getAddress()) ? LABEL : 0);
    }

    static boolean labelled(LocalSockets.Found socket) {
        return socket.trafficClass() == LABEL;
    }

    /** Returns true if the address is one of this machine. */
    static boolean here(InetAddress address) {
        try {
            return address.isLoopbackAddress()
                    || address.isAnyLocalAddress()
                    || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return true;
        }
    }
}
