package dev.execserver.server.sandbox;

import dev.execserver.protocol.net.NetworkProxySettings;
import dev.execserver.protocol.net.ProxyChange;
import dev.execserver.protocol.process.ManagedNetwork;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The network of a command of the command line: proxies and nothing else.
 *
 * @param managed bounds of the proxies that its variables name
 * @param proxy settings of a proxy of its own; empty for those that its variables name already
 * @param observed gets the settings that would allow what mode {@code observe} has let through, after the end of the command
 */
public record LocalNetwork(
        ManagedNetwork managed, Optional<NetworkProxySettings> proxy, Consumer<ProxyChange> observed) {}
