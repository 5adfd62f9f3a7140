package dev.execserver.server.access;

/** Kinds of events. The name is the same in both formats. */
public enum AccessKind {
    CONNECTION_OPENED("connection.opened"),
    CONNECTION_REFUSED("connection.refused"),
    CONNECTION_CLOSED("connection.closed"),
    SESSION_STARTED("session.started"),
    SESSION_RESUMED("session.resumed"),
    SESSION_REFUSED("session.refused"),
    SESSION_ENDED("session.ended"),
    SESSION_OBSERVED("session.observed"),
    APPROVER_ALLOWED("approver.allowed"),
    APPROVER_JOINED("approver.joined"),
    PROCESS_STARTED("process.started"),
    PROCESS_SIGNALLED("process.signalled"),
    PROCESS_EXITED("process.exited"),
    EXEC_DECIDED("exec.decided"),
    FILE_CHANGED("file.changed"),
    FILE_TRANSFERRED("file.transferred"),
    HTTP_REQUESTED("http.requested"),
    NETWORK_ACCESSED("network.accessed"),
    SERVER_STARTED("server.started"),
    CREDENTIALS_RELOADED("credentials.reloaded"),
    ADMIN_REQUESTED("admin.requested"),
    SERVER_STOPPING("server.stopping"),
    SERVER_STOPPED("server.stopped"),
    EVENTS_LOST("log.events_lost");

    private final String text;

    AccessKind(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }
}
