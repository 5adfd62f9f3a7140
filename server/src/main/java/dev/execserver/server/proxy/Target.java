package dev.execserver.server.proxy;

import dev.execserver.protocol.net.NetworkProtocol;
import java.util.Optional;

/**
 * What a process wants to be connected to.
 *
 * @param host normalized
 * @param method of an HTTP request
 * @param client who asks, as far as it has an address
 */
record Target(NetworkProtocol protocol, String host, int port, Optional<String> method, Optional<String> client) {

    String authority() {
        return HostName.bracketed(host) + ":" + port;
    }
}
