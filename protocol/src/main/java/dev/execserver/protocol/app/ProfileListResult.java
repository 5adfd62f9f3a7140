package dev.execserver.protocol.app;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonWritable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Result of {@code permissionProfile/list}: all profiles, on one page. */
public record ProfileListResult(List<Row> data) implements JsonWritable {

    /**
     * One profile.
     *
     * @param allowed false if the operator's floor refuses it
     */
    public record Row(String id, Optional<String> description, boolean allowed) {}

    public ProfileListResult {
        data = List.copyOf(data);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeArrayFieldStart("data");
        for (Row row : data) {
            g.writeStartObject();
            g.writeStringField("id", row.id());
            JsonFields.orNull(g, "description", row.description());
            g.writeBooleanField("allowed", row.allowed());
            g.writeEndObject();
        }
        g.writeEndArray();
        g.writeNullField("nextCursor");
        g.writeEndObject();
    }
}
