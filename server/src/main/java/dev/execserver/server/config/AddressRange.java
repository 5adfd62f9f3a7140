package dev.execserver.server.config;

import java.net.InetAddress;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * IP addresses that begin with the same bits, in CIDR notation.
 *
 * @param network an address of the range
 * @param bits number of bits that all addresses of the range have in common
 */
public record AddressRange(InetAddress network, int bits) {
    /** Form of {@code 10.0.0.7}, {@code 10.0.0.0/8}, {@code ::1} and {@code fd00::/8}; not every such text is a range. */
    static final Pattern FORM =
            Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)(?:/([0-9]{1,3}))?");

    /** Returns the range; empty if the text is none. */
    static Optional<AddressRange> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        try {
            InetAddress address = InetAddress.ofLiteral(matcher.group(1));
            int all = address.getAddress().length * Byte.SIZE;
            int bits = matcher.group(2) == null ? all : Integer.parseInt(matcher.group(2));
            return bits <= all ? Optional.of(new AddressRange(address, bits)) : Optional.empty();
        } catch (IllegalArgumentException noAddress) {
            return Optional.empty();
        }
    }

    public boolean contains(InetAddress address) {
        byte[] mine = network.getAddress();
        byte[] other = address.getAddress();
        if (mine.length != other.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> bit % Byte.SIZE;
            if (((mine[bit / Byte.SIZE] ^ other[bit / Byte.SIZE]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return network.getHostAddress() + "/" + bits;
    }
}
