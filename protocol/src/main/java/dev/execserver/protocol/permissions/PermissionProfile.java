package dev.execserver.protocol.permissions;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;

/** Permissions of a command, and the party that enforces them. */
public sealed interface PermissionProfile extends JsonWritable {

    /** The server builds the sandbox. */
    record Managed(FileSystemPolicy fileSystem, NetworkPolicy network) implements PermissionProfile {}

    /** There is no sandbox. */
    record Disabled() implements PermissionProfile {}

    /** Another party isolates the files; only the network permission concerns the server. */
    record External(NetworkPolicy network) implements PermissionProfile {}

    PermissionProfile DISABLED = new Disabled();

    /**
     * Reads every spelling: core, application, and the old form without {@code type}.
     *
     * @throws RpcException invalid params; the text names the member and the expected value; {@code data.member} is
     *     the path of the member
     */
    static PermissionProfile read(JsonSlice value, Dialect dialect) {
        try {
            return read(ParamsReader.of(value, "PermissionProfile"), dialect);
        } catch (RpcException e) {
            throw MemberPath.located(e);
        }
    }

    /**
     * Does the same as {@link #read(JsonSlice, Dialect)} within an object. Errors have the position only in their data.
     */
    static PermissionProfile read(ParamsReader in, Dialect dialect) {
        return PermissionProfileReader.read(in, dialect);
    }

    /** Returns the network part of the profile. */
    default NetworkPolicy networkPolicy() {
        return switch (this) {
            case Managed(FileSystemPolicy unused, NetworkPolicy network) -> network;
            case Disabled() -> NetworkPolicy.ENABLED;
            case External(NetworkPolicy network) -> network;
        };
    }

    /** Writes the profile as in a request to an exec-server. */
    @Override
    default void writeTo(JsonGenerator g) throws IOException {
        write(g, ProfileFormat.WIRE);
    }

    default void write(JsonGenerator g, ProfileFormat spelling) throws IOException {
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
