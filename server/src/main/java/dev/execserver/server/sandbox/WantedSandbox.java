package dev.execserver.server.sandbox;

import dev.execserver.protocol.net.NetworkProxySettings;
import dev.execserver.protocol.permissions.SandboxContext;
import java.util.Optional;

/**
 * The sandbox that a request asks for.
 *
 * @param proxy rules of the proxy that the named profile brings with it
 */
public record WantedSandbox(SandboxContext context, Optional<NetworkProxySettings> proxy) {}
