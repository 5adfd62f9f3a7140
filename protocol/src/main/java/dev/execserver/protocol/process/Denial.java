package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.net.ProxyChange;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Operation that a sandbox refused, as far as the output and the policy of the process reveal it. An addition beside
 * {@code sandboxDenied}, which is set even when no details are known.
 *
 * @param kind {@code fileRead}, {@code fileWrite}, {@code network} or {@code systemCall}
 * @param path file that could not be read or written
 * @param host host that could not be reached
 * @param port port of the host
 * @param program file of the program that wanted the connection
 * @param rule deciding part of the policy, for people
 * @param suggestion change that would allow the operation, for people
 * @param change the same for programs: a change of the proxy's settings
 */
public record Denial(
        String kind,
        Optional<String> path,
        Optional<String> host,
        OptionalInt port,
        Optional<String> program,
        Optional<String> rule,
        Optional<String> suggestion,
        Optional<ProxyChange> change)
        implements JsonWritable {

    public static final String FILE_READ = "fileRead";
    public static final String FILE_WRITE = "fileWrite";
    public static final String NETWORK = "network";
    public static final String SYSTEM_CALL = "systemCall";

    private static final int MAX_PORT = 65535;

    /** Makes a denial about no port, without a change for programs. */
    public Denial(
            String kind,
            Optional<String> path,
            Optional<String> host,
            Optional<String> rule,
            Optional<String> suggestion) {
        this(kind, path, host, OptionalInt.empty(), Optional.empty(), rule, suggestion, Optional.empty());
    }

    static Denial read(ParamsReader in) {
        String kind = null;
        Optional<String> path = Optional.empty();
        Optional<String> host = Optional.empty();
        OptionalInt port = OptionalInt.empty();
        Optional<String> program = Optional.empty();
        Optional<String> rule = Optional.empty();
        Optional<String> suggestion = Optional.empty();
        Optional<ProxyChange> change = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "kind" -> kind = in.string();
                case "path" -> path = in.stringOrNull();
                case "host" -> host = in.stringOrNull();
                case "port" -> port = OptionalInt.of((int) in.integer(0, MAX_PORT, "u16"));
                case "program" -> program = in.stringOrNull();
                case "rule" -> rule = in.stringOrNull();
                case "suggestion" -> suggestion = in.stringOrNull();
                case "change" -> change = ProxyChange.readMember(in);
                default -> {}
            }
        }
        return new Denial(in.required("kind", kind), path, host, port, program, rule, suggestion, change);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("kind", kind);
        JsonFields.ifPresent(g, "path", path);
        JsonFields.ifPresent(g, "host", host);
        if (port.isPresent()) {
            g.writeNumberField("port", port.getAsInt());
        }
        JsonFields.ifPresent(g, "program", program);
        JsonFields.ifPresent(g, "rule", rule);
        JsonFields.ifPresent(g, "suggestion", suggestion);
        if (change.isPresent()) {
            JsonFields.valueOrNull(g, "change", change);
        }
        g.writeEndObject();
    }
}
