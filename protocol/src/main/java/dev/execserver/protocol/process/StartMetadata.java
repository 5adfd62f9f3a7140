package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Thread and tool call of the client on whose behalf a process is started, for the access log of the server.
 */
public record StartMetadata(Optional<UUID> threadId, Optional<String> toolCallId) implements JsonWritable {

    /** Needed because {@link UUID#fromString} alone also accepts groups of other lengths. */
    private static final Pattern UUID_TEXT =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    static StartMetadata read(ParamsReader in) {
        Optional<UUID> threadId = Optional.empty();
        Optional<String> toolCallId = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "threadId" -> threadId = in.stringOrNull().map(StartMetadata::uuid);
                case "toolCallId" -> toolCallId = in.stringOrNull();
                default -> {}
            }
        }
        return new StartMetadata(threadId, toolCallId);
    }

    private static UUID uuid(String text) {
        if (!UUID_TEXT.matcher(text).matches()) {
            throw RpcException.invalidParams("invalid thread ID: not a UUID");
        }
        return UUID.fromString(text);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        JsonFields.ifPresent(g, "threadId", threadId.map(UUID::toString));
        JsonFields.ifPresent(g, "toolCallId", toolCallId);
        g.writeEndObject();
    }
}
