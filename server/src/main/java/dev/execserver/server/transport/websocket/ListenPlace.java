package dev.execserver.server.transport.websocket;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;

/** Place that a listener listens on. The threads that start the server and its timer use it. */
interface ListenPlace {
    /** Returns a name for messages. */
    String name();

    /** Returns the URL for clients, once it is opened. */
    String url(boolean tls);

    /**
     * Prepares the place, because Helidon only logs it if it cannot bind.
     *
     * @throws ListenException if it is not free
     */
    void prepare() throws ListenException;

    void addTo(WebServerConfig.Builder server);

    /** Returns the place where the started server listens: with the real port, and with its permissions set. */
    ListenPlace opened(WebServer server) throws ListenException;

    /** Returns true if nobody listens here any more. */
    boolean deserted();
}
