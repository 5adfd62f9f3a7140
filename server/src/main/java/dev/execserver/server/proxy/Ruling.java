package dev.execserver.server.proxy;

import java.net.InetAddress;
import java.util.List;

/** What was decided about a {@link Target}. */
sealed interface Ruling {

    /** For logs: the pattern that has decided, or who. */
    String rule();

    /**
     * It may be connected to.
     *
     * @param addresses those that were checked, and no others; empty when the upstream proxy knows the name and we do not
     */
    record Permitted(String rule, List<InetAddress> addresses) implements Ruling {

        public Permitted {
            addresses = List.copyOf(addresses);
        }
    }

    /** It may, but its name leads nowhere. */
    record Unknown(String rule, String why) implements Ruling {}

    /** It may not. */
    record Refused(String rule, Refusal refusal) implements Ruling {}
}
