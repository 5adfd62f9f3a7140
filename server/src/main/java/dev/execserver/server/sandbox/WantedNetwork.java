package dev.execserver.server.sandbox;

import dev.execserver.protocol.process.ManagedNetwork;

/**
 * The network of a command whose only way out is proxies.
 *
 * @param given the bounds that the client has sent
 * @param transparent true if programs that know no proxy are served as well
 */
public record WantedNetwork(ManagedNetwork given, boolean transparent) {}
