package dev.execserver.server.proxy.rules;

import java.net.InetAddress;
import java.util.List;

/** The decision about a {@link ProxyDestination}. */
public sealed interface Ruling {

    /** The pattern or the part that has decided, for logs. */
    String rule();

    /**
     * The target may be connected to.
     *
     * @param addresses the checked addresses; only these may be used. Empty if only the upstream proxy knows the name
     */
    record Permitted(String rule, List<InetAddress> addresses) implements Ruling {

        public Permitted {
            addresses = List.copyOf(addresses);
        }
    }

    /** The target is permitted, but its name has no address. */
    record Unknown(String rule, String why) implements Ruling {}

    /** The target is refused. */
    record Refused(String rule, Refusal refusal, RefusalAdvice advice) implements Ruling {}
}
