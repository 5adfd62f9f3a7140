package dev.execserver.server.proxy.rules;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;

/** Kind of an address by the IANA registries of special-purpose addresses (RFC 6890). */
enum AddressScope {
    /** An address on the Internet. */
    PUBLIC,
    /** An address of this machine or its private network. */
    LOCAL,
    /** A link-local address, where cloud machines have their metadata service. */
    LINK;

    /**
     * Returns the kind of an address. An IPv6 address that carries an IPv4 address counts as the latter, because the
     * packets go there.
     */
    static AddressScope of(InetAddress address) {
        byte[] bytes = address.getAddress();
        return address instanceof Inet4Address ? ofV4(bytes) : ofV6(bytes);
    }

    /**
     * Returns the kind of an address as seen from this machine. Its own public addresses are LOCAL, because they also
     * lead to services that it hides from the Internet.
     */
    static AddressScope here(InetAddress address) {
        AddressScope reach = of(address);
        return reach == PUBLIC && ofThisMachine(address) ? LOCAL : reach;
    }

    private static boolean ofThisMachine(InetAddress address) {
        try {
            return NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return true;
        }
    }

    private static AddressScope ofV4(byte[] b) {
        int first = b[0] & 0xff;
        int second = b[1] & 0xff;
        int third = b[2] & 0xff;
        if (first == 169 && second == 254) {
            return LINK;
        }
        boolean special = first == 0 // "this host": connect(2) takes 0.0.0.0 for loopback
                || first == 10
                || first == 127
                || (first == 100 && (second & 0xc0) == 64) // RFC 6598, carrier-grade NAT
                || (first == 172 && (second & 0xf0) == 16)
                || (first == 192 && second == 168)
                || (first == 192 && second == 0 && (third == 0 || third == 2)) // protocol assignments, TEST-NET-1
                || (first == 192 && second == 88 && third == 99) // RFC 7526, 6to4 relays
                || (first == 198 && (second & 0xfe) == 18) // RFC 2544, benchmarks
                || (first == 198 && second == 51 && third == 100) // TEST-NET-2
                || (first == 203 && second == 0 && third == 113) // TEST-NET-3
                || first >= 224; // multicast, reserved, broadcast
        return special ? LOCAL : PUBLIC;
    }

    private static AddressScope ofV6(byte[] b) {
        int high = (b[0] & 0xff) << 8 | b[1] & 0xff;
        int next = (b[2] & 0xff) << 8 | b[3] & 0xff;
        if ((high & 0xffc0) == 0xfe80) {
            return LINK;
        }
        int offset = carriedAt(b);
        if (offset >= 0) {
            return ofV4(Arrays.copyOfRange(b, offset, offset + 4));
        }
        // Global unicast is 2000::/3. In it, 2001::/23 is for protocols such as Teredo, and 2001:db8::/32 and 3fff::/20
        // are for documentation. The rest of 64:ff9b::/32 is for local use (RFC 8215).
        boolean special = (high & 0xe000) != 0x2000
                || (high == 0x2001 && (next & 0xfe00) == 0)
                || (high == 0x2001 && next == 0xdb8)
                || (high == 0x3fff && (next & 0xf000) == 0);
        return special ? LOCAL : PUBLIC;
    }

    /** Returns the IPv4 address that an IPv6 address carries, if any. */
    static Optional<InetAddress> carried(InetAddress address) {
        byte[] b = address.getAddress();
        int offset = address instanceof Inet4Address ? -1 : carriedAt(b);
        try {
            return offset < 0
                    ? Optional.empty()
                    : Optional.of(InetAddress.getByAddress(Arrays.copyOfRange(b, offset, offset + 4)));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are always an address", e);
        }
    }

    /** Returns the offset of the IPv4 address in an IPv6 address; -1 if there is none. */
    private static int carriedAt(byte[] b) {
        if (zero(b, 0, 10) && ((b[10] == 0 && b[11] == 0) || (b[10] == -1 && b[11] == -1))) {
            return 12; // v4-mapped, v4-compatible, ::1 and ::, which ends in 0.0.0.x
        }
        boolean nat64 = b[0] == 0 && b[1] == 0x64 && b[2] == -1 && (b[3] & 0xff) == 0x9b; // RFC 6052
        if (nat64 && zero(b, 4, 12)) {
            return 12;
        }
        return b[0] == 0x20 && b[1] == 2 ? 2 : -1; // RFC 3056, 6to4
    }

    private static boolean zero(byte[] b, int from, int to) {
        for (int i = from; i < to; i++) {
            if (b[i] != 0) {
                return false;
            }
        }
        return true;
    }
}
