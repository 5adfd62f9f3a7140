package dev.execserver.protocol.permissions;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;

/** What a command may touch, and who sees to it. */
public sealed interface PermissionProfile extends JsonWritable {

    /** We build the sandbox. */
    record Managed(FileSystemPolicy fileSystem, NetworkPolicy network) implements PermissionProfile {}

    /** No sandbox at all. */
    record Disabled() implements PermissionProfile {}

    /** Somebody else isolates the files; only the wish about the network is ours. */
    record External(NetworkPolicy network) implements PermissionProfile {}

    PermissionProfile DISABLED = new Disabled();

    /**
     * Reads every spelling: core, application, and the old shape without {@code type}.
     *
     * @throws RpcException invalid params; the text names the member and what was expected, {@code data.member} its place
     */
    static PermissionProfile read(JsonSlice value, Dialect dialect) {
        try {
            return read(ParamsReader.of(value, "PermissionProfile"), dialect);
        } catch (RpcException e) {
            throw Member.located(e);
        }
    }

    /** As {@link #read(JsonSlice, Dialect)} inside of an object; errors have the place in their data only. */
    static PermissionProfile read(ParamsReader in, Dialect dialect) {
        return PermissionProfileReader.read(in, dialect);
    }

    /** Of the network alone. */
    default NetworkPolicy networkPolicy() {
        return switch (this) {
            case Managed(FileSystemPolicy _, NetworkPolicy network) -> network;
            case Disabled() -> NetworkPolicy.ENABLED;
            case External(NetworkPolicy network) -> network;
        };
    }

    /** As a request to an exec-server carries it. */
    @Override
    default void writeTo(JsonGenerator g) throws IOException {
        write(g, Spelling.WIRE);
    }

    default void write(JsonGenerator g, Spelling spelling) throws IOException {
        g.writeStartObject();
        switch (this) {
            case Managed(FileSystemPolicy fileSystem, NetworkPolicy network) -> {
                g.writeStringField("type", "managed");
                g.writeFieldName(spelling.fileSystem());
                fileSystem.write(g, spelling);
                g.writeFieldName("network");
                network.write(g, spelling);
            }
            case Disabled() -> g.writeStringField("type", "disabled");
            case External(NetworkPolicy network) -> {
                g.writeStringField("type", "external");
                g.writeFieldName("network");
                network.write(g, spelling);
            }
        }
        g.writeEndObject();
    }
}
