package dev.execserver.server.proxy;

import dev.execserver.protocol.net.NetworkProxyConfig;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import java.util.Optional;

/** Formats the client's metadata about a process as fields of a log line. Stateless. */
final class AuditFields {

    /** Largest number of metadata members that are logged. Further ones are left out. */
    static final int MAX_MEMBERS = 16;

    /** Longest name of a member, in characters. */
    static final int MAX_NAME = 64;

    private AuditFields() {}

    /**
     * Returns the fields, each with a space before it; empty without metadata. Leaves out members that are not strings.
     *
     * @throws dev.execserver.protocol.rpc.RpcException -32602 if the metadata are not an object
     */
    static String of(NetworkProxyConfig config) {
        StringBuilder fields = new StringBuilder();
        config.environmentId().ifPresent(id -> add(fields, "environment", id));
        config.executionId().ifPresent(id -> add(fields, "execution", id));
        config.auditMetadata().ifPresent(metadata -> addAll(fields, metadata));
        return fields.toString();
    }

    private static void addAll(StringBuilder fields, JsonSlice metadata) {
        ParamsReader in = ParamsReader.of(metadata, "NetworkProxyAuditMetadata");
        int added = 0;
        while (in.next() && added < MAX_MEMBERS) {
            String name = in.name();
            Optional<String> value = in.stringOrSkip();
            if (value.isPresent()) {
                add(fields, "audit." + LogText.name(name, MAX_NAME), value.get());
                added++;
            }
        }
    }

    private static void add(StringBuilder fields, String name, String value) {
        fields.append(' ').append(name).append('=').append(LogText.quoted(value));
    }
}
