package dev.execserver.server.transport.mcp;

import dev.execserver.server.transport.auth.Subject;
import java.util.Optional;

/** The MCP clients of a listener, which come with HTTP requests. Any thread. */
public interface McpClients {

    /**
     * Answer to a posted message.
     *
     * @param session id of the session, if the message began it
     * @param events messages in reply; empty if the client expects none
     */
    record Reply(Optional<String> session, Optional<EventSource> events) {}

    /**
     * Takes a message.
     *
     * @param session id that the request names
     * @throws McpRefusal if there is no such session, or the message cannot be read
     */
    Reply post(Optional<String> session, Optional<Subject> subject, byte[] body);

    /**
     * Opens the stream for messages that answer no request, or goes on with a stream.
     *
     * @param lastEventId id of the last message that the client has
     * @throws McpRefusal if there is no such session or stream
     */
    EventSource open(Optional<String> session, Optional<Subject> subject, Optional<String> lastEventId);

    /**
     * Ends a session with everything that it has started.
     *
     * @throws McpRefusal if there is none
     */
    void end(Optional<String> session, Optional<Subject> subject);

    /** Returns true if the server speaks this version of the protocol. */
    boolean speaks(String version);

    /** Returns true while the server stops, when streams end. */
    boolean stopping();
}
