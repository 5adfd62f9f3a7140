package dev.execserver.server.rpc;

import dev.execserver.protocol.rpc.Request;

/**
 * The app-server dialect of a server. A connection speaks it after its handshake; before, the first request chooses.
 *
 * @param handshake begins it
 * @param methods its methods, none of which the exec-server dialect has
 */
public record AppDialect(AppHandshake handshake, MethodTable methods) {

    /** Answers an {@code initialize} of this dialect. Returns false if it belongs to the other one. */
    boolean initialize(Connection connection, Request request) {
        boolean ours = AppHandshake.concerns(connection, request);
        if (ours) {
            handshake.initialize(connection, request);
        }
        return ours;
    }

    /**
     * Returns the methods of the connection's dialect. Before the handshake the method that is called chooses it.
     *
     * @param others methods of the other dialect
     */
    MethodTable tableFor(Connection connection, String method, MethodTable others) {
        boolean early = !connection.attached() && methods.find(method).isPresent();
        return early || connection.appClient().isPresent() ? methods : others;
    }
}
