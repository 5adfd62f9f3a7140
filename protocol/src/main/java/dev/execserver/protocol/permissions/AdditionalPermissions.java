package dev.execserver.protocol.permissions;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.permissions.FileSystemPolicy.Restricted;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.util.Optional;

/**
 * Permissions that a request adds to its profile; they never remove any. {@link PermissionMerger} combines them.
 *
 * @param networkEnabled true if the network is requested; empty when absent
 * @param fileSystem entries to add; empty when there are none
 */
public record AdditionalPermissions(Optional<Boolean> networkEnabled, Optional<Restricted> fileSystem) {

    public static final AdditionalPermissions NONE = new AdditionalPermissions(Optional.empty(), Optional.empty());

    /**
     * Reads both spellings, and the form with lists of paths.
     *
     * @throws RpcException invalid params; the text names the member and the expected value; {@code data.member} is
     *     the path of the member
     */
    public static AdditionalPermissions read(JsonSlice value, Dialect dialect) {
        try {
            return read(ParamsReader.of(value, "AdditionalPermissionProfile"), dialect);
        } catch (RpcException e) {
            throw MemberPath.located(e);
        }
    }

    static AdditionalPermissions read(ParamsReader in, Dialect dialect) {
        Optional<Boolean> network = Optional.empty();
        Optional<Restricted> files = Optional.empty();
        while (in.next()) {
            String name = in.name();
            switch (name) {
                case "network" ->
                    network = MemberPath.in(
                            name,
                            () -> in.structOrNull("AdditionalNetworkPermissions", AdditionalPermissions::enabled)
                                    .flatMap(enabled -> enabled));
                case "file_system", "fileSystem" -> {
                    Optional<Restricted> given = MemberPath.in(
                            name,
                            () -> in.structOrNull(
                                    "AdditionalFileSystemPermissions", f -> FileSystemReader.untagged(f, dialect)));
                    files = MemberPath.once(files, name, given);
                }
                default -> {}
            }
        }
        return new AdditionalPermissions(network, files);
    }

    private static Optional<Boolean> enabled(ParamsReader in) {
        Optional<Boolean> enabled = Optional.empty();
        while (in.next()) {
            if (in.name().equals("enabled")) {
                enabled = MemberPath.in("enabled", in::boolOrNull);
            }
        }
        return enabled;
    }

    public void write(JsonGenerator g, ProfileFormat spelling) throws IOException {
        g.writeStartObject();
        g.writeFieldName("network");
        if (networkEnabled.isPresent()) {
            g.writeStartObject();
            g.writeBooleanField("enabled", networkEnabled.get());
            g.writeEndObject();
        } else {
            g.writeNull();
        }
        g.writeFieldName(spelling.fileSystem());
        if (fileSystem.isPresent()) {
            g.writeStartObject();
            FileSystemPolicy.writeEntries(
                    g, spelling, fileSystem.get().entries(), fileSystem.get().globScanMaxDepth());
            g.writeEndObject();
        } else {
            g.writeNull();
        }
        g.writeEndObject();
    }
}
