package dev.execserver.server.transport.files;

import dev.execserver.protocol.fs.DirectoryEntry;
import dev.execserver.protocol.fs.FileRequest;
import dev.execserver.protocol.fs.MetadataParams;
import dev.execserver.protocol.fs.MetadataResult;
import dev.execserver.protocol.fs.ReadDirectoryParams;
import dev.execserver.protocol.fs.ReadDirectoryResult;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.RpcException;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerResponse;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Sends the entries of one directory, sorted by name, with what is known of each. Runs on the connection's thread. */
final class DirectoryListing {
    static final Dialect DIALECT = Dialect.OPEN;

    /** Most entries of a listing; a directory with more is refused. */
    private static final int MAX_ENTRIES = 10_000;

    private static final int PERMISSIONS = 0777;

    private final Steps steps;
    private final PathUri path;

    DirectoryListing(Steps steps, PathUri path) {
        this.steps = steps;
        this.path = path;
    }

    /** Carries out file requests. */
    @FunctionalInterface
    interface Steps {
        JsonSlice run(FileRequest request) throws InterruptedException;
    }

    private record Row(String name, MetadataResult facts) {}

    /** @param below path as clients know it */
    void send(String below, ServerResponse response) throws InterruptedException {
        ReadDirectoryResult read = ReadDirectoryResult.read(
                steps.run(new ReadDirectoryParams(path, Optional.empty(), false, MAX_ENTRIES)), DIALECT);
        List<Row> rows = new ArrayList<>();
        for (DirectoryEntry entry : read.entries()) {
            facts(entry.fileName()).ifPresent(facts -> rows.add(new Row(entry.fileName(), facts)));
        }
        rows.sort((one, other) -> one.name().compareTo(other.name()));
        JsonSlice body = slice(g -> {
            g.writeStartObject();
            g.writeStringField("path", "/" + below);
            g.writeArrayFieldStart("entries");
            for (Row row : rows) {
                g.writeStartObject();
                g.writeStringField("name", row.name());
                g.writeNumberField("size", row.facts().size());
                g.writeStringField("type", row.facts().isDirectory() ? "directory" : "file");
                g.writeStringField(
                        "modified_at",
                        Instant.ofEpochMilli(row.facts().modifiedAtMs())
                                .truncatedTo(ChronoUnit.SECONDS)
                                .toString());
                OptionalInt mode = row.facts().mode();
                if (mode.isPresent()) {
                    g.writeStringField("mode", "%04o".formatted(mode.getAsInt() & PERMISSIONS));
                }
                g.writeEndObject();
            }
            g.writeEndArray();
            g.writeEndObject();
        });
        response.header(HeaderNames.CONTENT_TYPE, "application/json");
        response.send(body.toString());
    }

    /** Returns what is known of an entry; empty for one that has gone, leads nowhere, or is hidden by the profile. */
    private Optional<MetadataResult> facts(String name) throws InterruptedException {
        PathUri entry = PathBelow.join(path, name);
        try {
            return Optional.of(
                    MetadataResult.read(steps.run(new MetadataParams(entry, true, Optional.empty(), true)), DIALECT));
        } catch (RpcException unreachable) {
            return Optional.empty();
        }
    }

    static JsonSlice slice(JsonWritable value) {
        MessageBuffer out = new MessageBuffer();
        MessageEncoder.value(out, value);
        byte[] json = out.toByteArray();
        return JsonSlice.of(json, 0, json.length);
    }
}
