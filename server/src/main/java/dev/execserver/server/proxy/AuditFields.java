package dev.execserver.server.proxy;

import dev.execserver.protocol.net.NetworkProxyConfig;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import java.util.Optional;

/** What a client says about whom a process runs for, as fields of a line of the log. Stateless. */
final class AuditFields {

    /** Members of the metadata that are logged; further ones are left out. */
    static final int MAX_MEMBERS = 16;

    /** Characters of the name of one. */
    static final int MAX_NAME = 64;

    private AuditFields() {}

    /**
     * The fields, each with a blank before it; nothing when the client says nothing. Members that are no strings are left out.
     *
     * @throws dev.execserver.protocol.rpc.RpcException -32602 when the metadata are no object
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
