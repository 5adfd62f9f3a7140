package dev.execserver.server.transport.origin;

import dev.execserver.server.access.AccessEvent;
import java.util.Optional;

/**
 * Address of a client as logs show it.
 *
 * @param text address, with the port if it is known: {@code 10.0.0.7:51234}, {@code [::1]:80}, {@code 10.0.0.7}
 * @param proxy address and port of the trusted proxy that made the connection for the client
 */
public record ClientAddress(String text, Optional<String> proxy) {
    /** Makes the address of a client that connects itself. */
    public static ClientAddress direct(String text) {
        return new ClientAddress(text, Optional.empty());
    }

    /** Adds the address to an event of the access log. */
    public AccessEvent addTo(AccessEvent event) {
        event.client(text);
        proxy.ifPresent(event::peer);
        return event;
    }
}
