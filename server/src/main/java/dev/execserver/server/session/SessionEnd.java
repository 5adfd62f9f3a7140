package dev.execserver.server.session;

/** Reason for the end of a session, for the access log. */
enum SessionEnd {
    /** The client has asked for it. */
    CLIENT("client"),
    /** No connection came back within the time to live. */
    EXPIRED("expired"),
    /** The connection is lost, and the session was to end with it. */
    CONNECTION_LOST("connection lost"),
    /** The server stops. */
    SERVER_STOPS("server stops"),
    /** The operator ends it. */
    OPERATOR("operator");

    private final String text;

    SessionEnd(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }
}
