package dev.execserver.protocol.session;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.process.ProcessInfo;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * One session in the result of {@code session/list}.
 *
 * @param sessionId id with which the session can be resumed and observed
 * @param name as its client has given it
 * @param clientName name of the client that began it, or that resumed it last
 * @param own true for the session of the connection that asks; written only when true
 * @param attached true if a connection has the session
 * @param sinceMs time since which it is attached, or detached, in milliseconds since 1970
 * @param startedAtMs milliseconds since 1970
 * @param processes also those that have ended and are still readable
 */
public record SessionInfo(
        String sessionId,
        Optional<String> name,
        String clientName,
        boolean own,
        boolean attached,
        long sinceMs,
        long startedAtMs,
        List<ProcessInfo> processes)
        implements JsonWritable {

    public SessionInfo {
        processes = List.copyOf(processes);
    }

    static SessionInfo read(ParamsReader in, Dialect dialect) {
        String sessionId = null;
        Optional<String> name = Optional.empty();
        String clientName = null;
        boolean own = false;
        boolean attached = false;
        long sinceMs = 0;
        long startedAtMs = 0;
        List<ProcessInfo> processes = null;
        while (in.next()) {
            switch (in.name()) {
                case "sessionId" -> sessionId = in.string();
                case "name" -> name = in.stringOrNull();
                case "clientName" -> clientName = in.string();
                case "own" -> own = in.boolOrNull().orElse(false);
                case "attached" -> attached = in.bool();
                case "sinceMs" -> sinceMs = in.i64();
                case "startedAtMs" -> startedAtMs = in.i64();
                case "processes" -> processes = in.structs("ProcessInfo", inner -> ProcessInfo.read(inner, dialect));
                default -> {}
            }
        }
        return new SessionInfo(
                in.required("sessionId", sessionId),
                name,
                in.required("clientName", clientName),
                own,
                attached,
                sinceMs,
                startedAtMs,
                in.required("processes", processes));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("sessionId", sessionId);
        JsonFields.ifPresent(g, "name", name);
        g.writeStringField("clientName", clientName);
        if (own) {
            g.writeBooleanField("own", true);
        }
        g.writeBooleanField("attached", attached);
        g.writeNumberField("sinceMs", sinceMs);
        g.writeNumberField("startedAtMs", startedAtMs);
        g.writeArrayFieldStart("processes");
        for (ProcessInfo process : processes) {
            process.writeTo(g);
        }
        g.writeEndArray();
        g.writeEndObject();
    }
}
