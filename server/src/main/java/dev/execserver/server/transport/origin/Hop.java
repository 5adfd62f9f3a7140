package dev.execserver.server.transport.origin;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Address in a list that proxies have written. */
record Hop(InetAddress address, OptionalInt port) {
    private static final int MAX_PORT = 65_535;
    private static final Pattern IPV4 = Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,3}){3})(?::([0-9]{1,5}))?");
    private static final Pattern BRACKETED = Pattern.compile("\\[([0-9A-Fa-f:.]+)](?::([0-9]{1,5}))?");
    private static final Pattern IPV6 = Pattern.compile("([0-9A-Fa-f]*:[0-9A-Fa-f:.]*)()");

    /** Reads {@code 10.0.0.7}, {@code 10.0.0.7:80}, {@code ::1}, {@code [::1]} or {@code [::1]:80}; empty for anything else. */
    static Optional<Hop> parse(String text) {
        for (Pattern form : new Pattern[] {IPV4, BRACKETED, IPV6}) {
            Matcher matcher = form.matcher(text);
            if (matcher.matches()) {
                return of(matcher.group(1), matcher.group(2));
            }
        }
        return Optional.empty();
    }

    private static Optional<Hop> of(String address, String port) {
        try {
            InetAddress literal = InetAddress.ofLiteral(address);
            OptionalInt number =
                    port == null || port.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(port));
            return number.orElse(0) > MAX_PORT ? Optional.empty() : Optional.of(new Hop(literal, number));
        } catch (IllegalArgumentException noAddress) {
            return Optional.empty();
        }
    }

    /** Returns the text for logs. */
    String text() {
        String host = address.getHostAddress();
        String shown = address instanceof Inet6Address ? "[" + host + "]" : host;
        return port.isPresent() ? shown + ":" + port.getAsInt() : shown;
    }
}
