package dev.execserver.server.proxy.rules;

import dev.execserver.protocol.net.NetworkProtocol;
import dev.execserver.server.rules.ConnectingProgram;
import java.util.Optional;

/**
 * The target of a connection that a process wants.
 *
 * @param host normalized
 * @param method the method of an HTTP request
 * @param client the address of the asking program, if it has one
 * @param program the file that the asking process runs, where the connection tells
 */
public record ProxyDestination(
        NetworkProtocol protocol,
        String host,
        int port,
        Optional<String> method,
        Optional<String> client,
        Optional<ConnectingProgram> program) {

    /** Makes a target whose program is not known. */
    public ProxyDestination(
            NetworkProtocol protocol, String host, int port, Optional<String> method, Optional<String> client) {
        this(protocol, host, port, method, client, Optional.empty());
    }

    /** Makes a target of a connection that comes by no proxy protocol. */
    public static ProxyDestination plain(String host, int port, Optional<ConnectingProgram> program) {
        return new ProxyDestination(
                NetworkProtocol.SOCKS5_TCP, host, port, Optional.empty(), Optional.empty(), program);
    }

    /** Returns the same connection to another host. */
    ProxyDestination at(String other) {
        return new ProxyDestination(protocol, other, port, method, client, program);
    }

    public String authority() {
        return HostName.bracketed(host) + ":" + port;
    }
}
