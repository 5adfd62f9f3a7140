package dev.execserver.server.proxy.rules;

import dev.execserver.protocol.net.NetworkProtocol;
import java.util.Optional;

/**
 * The target of a connection that a process wants.
 *
 * @param host normalized
 * @param method the method of an HTTP request
 * @param client the address of the asking program, if it has one
 */
public record ProxyDestination(
        NetworkProtocol protocol, String host, int port, Optional<String> method, Optional<String> client) {

    public String authority() {
        return HostName.bracketed(host) + ":" + port;
    }
}
