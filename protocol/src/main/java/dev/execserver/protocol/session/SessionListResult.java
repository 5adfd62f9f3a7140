package dev.execserver.protocol.session;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.List;

/**
 * Result of {@code session/list}, an addition: the sessions of the principal that asks, the oldest first.
 */
public record SessionListResult(List<SessionInfo> sessions) implements JsonWritable {

    public SessionListResult {
        sessions = List.copyOf(sessions);
    }

    /** Errors are those of {@link ParamsReader}. */
    public static SessionListResult read(JsonSlice result, Dialect dialect) {
        ParamsReader in = ParamsReader.of(result, "SessionListResponse");
        List<SessionInfo> sessions = null;
        while (in.next()) {
            if (in.name().equals("sessions")) {
                sessions = in.structs("SessionInfo", inner -> SessionInfo.read(inner, dialect));
            }
        }
        return new SessionListResult(in.required("sessions", sessions));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeArrayFieldStart("sessions");
        for (SessionInfo session : sessions) {
            session.writeTo(g);
        }
        g.writeEndArray();
        g.writeEndObject();
    }
}
