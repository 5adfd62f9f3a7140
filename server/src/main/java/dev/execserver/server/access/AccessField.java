package dev.execserver.server.access;

/**
 * Members of events, with their names in both formats: those of OpenTelemetry's semantic conventions where they have
 * one, else with the prefix {@code execserver}. In the order of a line.
 */
public enum AccessField {
    // who
    CONNECTION("execserver.connection.id"),
    CLIENT_ADDRESS("client.address"),
    CLIENT_PORT("client.port"),
    PEER_ADDRESS("network.peer.address"),
    PEER_PORT("network.peer.port"),
    TRANSPORT("network.transport"),
    USER("user.id"),
    ISSUER("execserver.token.issuer"),
    CREDENTIAL("execserver.credential.name"),
    SESSION("session.id"),
    CLIENT_NAME("execserver.client.name"),
    TAKEOVER("execserver.session.takeover"),
    TTL_SECONDS("execserver.session.ttl_s"),
    // which request
    METHOD("rpc.method"),
    TRACE_ID("trace_id"),
    SPAN_ID("span_id"),
    REQUEST_ID("jsonrpc.request.id"),
    THREAD_ID("execserver.metadata.thread_id"),
    TOOL_CALL_ID("execserver.metadata.tool_call_id"),
    // on what
    PROCESS("execserver.process.id"),
    COMMAND("execserver.command.id"),
    PID("process.pid"),
    EXECUTABLE("process.executable.name"),
    EXECUTABLE_PATH("process.executable.path"),
    COMMAND_ARGS("process.command_args"),
    ARGS_COUNT("process.args_count"),
    WORKING_DIRECTORY("process.working_directory"),
    INTERACTIVE("process.interactive"),
    SIGNAL("execserver.signal"),
    SANDBOX_BACKEND("execserver.sandbox.backend"),
    SANDBOX_REQUESTED("execserver.sandbox.requested"),
    FILE_PATH("file.path"),
    FILE_TARGET("execserver.file.destination"),
    HTTP_REQUEST("execserver.http.request_line"),
    HTTP_METHOD("http.request.method"),
    URL("url.full"),
    URL_SCHEME("url.scheme"),
    SERVER_ADDRESS("server.address"),
    SERVER_PORT("server.port"),
    PROTOCOL("network.protocol.name"),
    // how it ended
    HTTP_STATUS("http.response.status_code"),
    DECISION("execserver.decision"),
    DECIDED_BY("execserver.decision.by"),
    APPROVER("execserver.approver.id"),
    RULE("execserver.decision.rule"),
    EXIT_CODE("process.exit.code"),
    REASON("execserver.reason"),
    DENIED("execserver.sandbox.denied"),
    DENIAL_KIND("execserver.sandbox.denial.kind"),
    DENIAL_PATH("execserver.sandbox.denial.path"),
    ERROR_CODE("rpc.response.status_code"),
    ERROR("error.message"),
    OUTPUT_BYTES("execserver.output.bytes"),
    SENT_BYTES("execserver.sent.bytes"),
    RECEIVED_BYTES("execserver.received.bytes"),
    CPU_MS("execserver.usage.cpu_ms"),
    PEAK_MEMORY_BYTES("execserver.usage.peak_memory_bytes"),
    DURATION_MS("execserver.duration_ms"),
    COUNT("execserver.count"),
    AUDIT("execserver.audit"),
    VERSION("service.version");

    private final String text;

    AccessField(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }
}
