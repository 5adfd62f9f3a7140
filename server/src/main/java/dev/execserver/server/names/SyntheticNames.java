package dev.execserver.server.names;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The addresses that stand for names, of one command: from 198.18.0.0/15, which is for benchmarks (RFC 2544) and belongs to nobody. A
 * name keeps its address. Any thread.
 */
public final class SyntheticNames {
    /** Largest number of names. Later ones do not resolve. */
    public static final int MAX_NAMES = 16_384;

    private static final int BASE = 198 << 24 | 18 << 16;

    private final Map<String, InetAddress> addresses = new ConcurrentHashMap<>();
    private final Map<InetAddress, String> names = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();

    /**
     * Returns the address of a name; empty if there are too many names.
     *
     * @param name normalized
     */
    public Optional<InetAddress> addressOf(String name) {
        return Optional.ofNullable(addresses.computeIfAbsent(name, _ -> next(name)));
    }

    private InetAddress next(String name) {
        int number = count.incrementAndGet();
        if (number > MAX_NAMES) {
            count.decrementAndGet();
            return null; // ends in addressOf
        }
        int bits = BASE + number;
        try {
            InetAddress address = InetAddress.getByAddress(
                    new byte[] {(byte) (bits >> 24), (byte) (bits >> 16), (byte) (bits >> 8), (byte) bits});
            names.put(address, name);
            return address;
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are always an address", e);
        }
    }

    /** Returns the name that an address stands for. */
    public Optional<String> nameOf(InetAddress address) {
        return Optional.ofNullable(names.get(address));
    }
}
