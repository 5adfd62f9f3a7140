package dev.execserver.protocol.permissions;

import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import java.util.Optional;

/**
 * Collects the members of a profile. They may come in any order and their meaning depends on {@code type}, so they are
 * kept undecoded until the end.
 */
final class PermissionProfileReader {
    private final Dialect dialect;
    private String type;
    private Optional<JsonSlice> fileSystem = Optional.empty();
    private String fileSystemName = "file_system";
    private Optional<NetworkPolicy> network = Optional.empty();

    private PermissionProfileReader(Dialect dialect) {
        this.dialect = dialect;
    }

    static PermissionProfile read(ParamsReader in, Dialect dialect) {
        PermissionProfileReader members = new PermissionProfileReader(dialect);
        while (in.next()) {
            members.take(in);
        }
        return members.type == null ? members.untagged() : members.tagged();
    }

    private void take(ParamsReader in) {
        String name = in.name();
        switch (name) {
            case "type" -> type = MemberPath.in(name, in::string);
            case "file_system", "fileSystem" -> {
                fileSystemName = name;
                fileSystem = Optional.of(MemberPath.once(fileSystem, name, in.slice()));
            }
            case "network" -> network = MemberPath.in(name, () -> NetworkPolicy.readOrNull(in));
            default -> {}
        }
    }

    private PermissionProfile tagged() {
        return switch (type) {
            case "managed" -> new PermissionProfile.Managed(taggedFiles(), requiredNetwork());
            case "disabled" -> PermissionProfile.DISABLED;
            case "external" -> new PermissionProfile.External(requiredNetwork());
            default ->
                throw MemberPath.at(
                        "type", ParamsReader.unknownVariant(type, "one of `managed`, `disabled`, `external`"));
        };
    }

    private PermissionProfile untagged() {
        if (fileSystem.isEmpty() && network.isEmpty()) {
            throw ParamsReader.missing("type");
        }
        // Without a file system member there are no entries, so nothing is readable.
        FileSystemPolicy files = fileSystem
                .filter(value -> !value.isNull())
                .map(value -> MemberPath.in(fileSystemName, () -> FileSystemReader.untagged(members(value), dialect)))
                .orElseGet(FileSystemPolicy::restricted);
        return new PermissionProfile.Managed(files, network.orElse(NetworkPolicy.RESTRICTED));
    }

    private NetworkPolicy requiredNetwork() {
        return network.orElseThrow(() -> ParamsReader.missing("network"));
    }

    private FileSystemPolicy taggedFiles() {
        JsonSlice value = fileSystem.orElseThrow(() -> ParamsReader.missing("file_system"));
        return MemberPath.in(fileSystemName, () -> FileSystemReader.tagged(members(value), dialect));
    }

    private static ParamsReader members(JsonSlice value) {
        return ParamsReader.of(value, "FileSystemPermissions");
    }
}
