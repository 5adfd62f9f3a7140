package dev.execserver.server.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.session.SessionView;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;

/** The same for programs: one JSON object each. Stateless. */
final class AdminJson {
    private static final JsonFactory FACTORY = new JsonFactory();

    private AdminJson() {}

    static String sessions(List<SessionView> sessions) {
        return text(g -> {
            g.writeStartObject();
            g.writeArrayFieldStart("sessions");
            for (SessionView each : sessions) {
                g.writeStartObject();
                session(g, each);
                g.writeNumberField("running", each.running());
                g.writeNumberField("processes", each.processes().size());
                g.writeEndObject();
            }
            g.writeEndArray();
            g.writeEndObject();
        });
    }

    static String processes(List<RunningProcess> processes) {
        return text(g -> {
            g.writeStartObject();
            g.writeArrayFieldStart("processes");
            for (RunningProcess each : processes) {
                g.writeStartObject();
                session(g, each.session());
                g.writeStringField("processId", each.info().processId());
                g.writeNumberField("pid", each.info().pid().orElse(0));
                g.writeArrayFieldStart("argv");
                for (String argument : each.info().argv()) {
                    g.writeString(argument);
                }
                g.writeEndArray();
                g.writeNumberField("startedAtMs", each.info().startedAtMs());
                g.writeNumberField("cpuMs", each.usage().cpuMs());
                g.writeNumberField("memoryBytes", each.usage().memoryBytes());
                g.writeNumberField("treeProcesses", each.usage().processes());
                g.writeEndObject();
            }
            g.writeEndArray();
            g.writeEndObject();
        });
    }

    private static void session(JsonGenerator g, SessionView session) throws IOException {
        g.writeStringField("session", AccessEvent.shortened(session.id()));
        if (session.owner().isPresent()) {
            g.writeStringField("user", session.owner().get().name());
        }
        g.writeBooleanField("attached", session.attached());
    }

    static String text(JsonWritable value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(text)) {
            value.writeTo(generator);
        } catch (IOException e) {
            throw new UncheckedIOException("memory is always written", e);
        }
        return text + "\n";
    }
}
