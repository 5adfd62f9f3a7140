package dev.execserver.server.sandbox;

import dev.execserver.protocol.process.ManagedNetwork;
import dev.execserver.sandbox.plan.ProxiedNetwork.UnixUse;

/**
 * The network of a command whose only way out is proxies.
 *
 * @param given the bounds that the client has sent
 * @param transparent true if programs that know no proxy are served as well
 * @param unixSockets LISTED only if the command's connects are examined
 */
public record WantedNetwork(ManagedNetwork given, boolean transparent, UnixUse unixSockets) {
    /** Makes the network of a command whose connects are not examined. */
    public static WantedNetwork unexamined(ManagedNetwork given) {
        return new WantedNetwork(given, false, given.allUnixSockets() ? UnixUse.ALL : UnixUse.PAIRS);
    }
}
