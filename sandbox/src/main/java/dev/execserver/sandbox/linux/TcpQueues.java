package dev.execserver.sandbox.linux;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The bytes that the kernel still holds for the peer of a TCP connection, from {@code /proc/net/tcp} (proc_net(5)).
 * {@code SIOCOUTQ} of tcp(7) would need a descriptor, which Java does not give for its sockets.
 *
 * <p>Reads of /proc do not wait for disks or networks. The tables have a row for each connection of the machine, so call this
 * rarely. Stateless.
 */
public final class TcpQueues {

    /** The tables. A socket that speaks IPv4 may be listed in either. */
    private static final List<Path> TABLES = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));

    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int QUEUES = 4;
    private static final int HEX = 16;

    private TcpQueues() {}

    /** Returns the bytes that the peer has not acknowledged; empty if there is no such connection. */
    public static OptionalLong unacknowledged(InetSocketAddress local, InetSocketAddress remote) {
        for (Path table : TABLES) {
            OptionalLong bytes = find(table, hex(local), hex(remote));
            if (bytes.isPresent()) {
                return bytes;
            }
        }
        return OptionalLong.empty();
    }

    private static OptionalLong find(Path table, String local, String remote) {
        try (Stream<String> rows = Files.lines(table)) {
            return rows.map(row -> row.strip().split("\\s+"))
                    .filter(fields ->
                            fields.length > QUEUES && fields[LOCAL].endsWith(local) && fields[REMOTE].endsWith(remote))
                    .mapToLong(fields -> Long.parseLong(fields[QUEUES].substring(0, fields[QUEUES].indexOf(':')), HEX))
                    .findFirst();
        } catch (IOException | UncheckedIOException e) {
            return OptionalLong.empty(); // no /proc, or no IPv6: nothing is known
        }
    }

    /** Returns address and port as in the tables: the address in words of 32 bits, each in the byte order of the machine. */
    private static String hex(InetSocketAddress address) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress().getAddress());
        ByteBuffer words = ByteBuffer.allocate(bytes.capacity()).order(ByteOrder.nativeOrder());
        while (bytes.hasRemaining()) {
            words.putInt(bytes.getInt());
        }
        return HexFormat.of().withUpperCase().formatHex(words.array())
                + String.format(Locale.ROOT, ":%04X", address.getPort());
    }
}
