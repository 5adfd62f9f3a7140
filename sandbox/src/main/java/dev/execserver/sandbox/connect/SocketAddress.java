package dev.execserver.sandbox.connect;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** Reads struct sockaddr_in, sockaddr_in6 and sockaddr_un, see ip(7), ipv6(7) and unix(7). Stateless. */
final class SocketAddress {
    /** The family alone; the kernel refuses less. */
    static final int SHORTEST = 2;
    /** struct sockaddr_storage; the kernel refuses more. */
    static final int LONGEST = 128;

    private static final int AF_UNIX = 1;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int INET_BYTES = 16;
    /** SIN6_LEN_RFC2133: without the scope. */
    private static final int INET6_BYTES = 24;

    private SocketAddress() {}

    /** Returns the destination; empty for another family, which cannot leave a network namespace, and for less than an address. */
    static Optional<InetSocketAddress> read(byte[] bytes) {
        int family = bytes[0] & 0xff | (bytes[1] & 0xff) << 8;
        if (family == AF_INET && bytes.length >= INET_BYTES) {
            return Optional.of(destination(bytes, 4, 4));
        }
        if (family == AF_INET6 && bytes.length >= INET6_BYTES) {
            return Optional.of(destination(bytes, 8, 16));
        }
        return Optional.empty();
    }

    /** Returns the path of struct sockaddr_un, see unix(7); empty for another family, an abstract name and no name. */
    static Optional<String> path(byte[] bytes) {
        int family = bytes[0] & 0xff | (bytes[1] & 0xff) << 8;
        int end = SHORTEST;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return family == AF_UNIX && end > SHORTEST
                ? Optional.of(new String(bytes, SHORTEST, end - SHORTEST, StandardCharsets.UTF_8))
                : Optional.empty();
    }

    private static InetSocketAddress destination(byte[] bytes, int from, int length) {
        int port = (bytes[2] & 0xff) << 8 | bytes[3] & 0xff;
        try {
            // Java makes an IPv4 address of a mapped one.
            InetAddress address = InetAddress.getByAddress(Arrays.copyOfRange(bytes, from, from + length));
            // connect(2) takes 0.0.0.0 and :: for the loopback address
            return new InetSocketAddress(
                    address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address, port);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four or sixteen bytes are always an address", e);
        }
    }
}
