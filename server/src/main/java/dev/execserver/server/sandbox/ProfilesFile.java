package dev.execserver.server.sandbox;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MalformedMessageException;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the operator's file of profiles: {@code {"profiles": {"NAME": {PROFILE}}}}, where a profile may have a
 * {@code description}. Stateless; blocks.
 */
final class ProfilesFile {

    static final String OPTION = "--profiles";

    /** Longest file in bytes. */
    private static final int MAX_BYTES = 1 << 20;

    private ProfilesFile() {}

    /** @throws ConfigException if it cannot be read, or if other users can change it */
    static List<NamedProfile> read(Path file) {
        FloorFileCheck.requireUnchangeable(OPTION, file);
        try {
            if (!Files.isRegularFile(file) && Files.exists(file)) {
                throw failure(file, "it is no regular file");
            }
            if (Files.size(file) > MAX_BYTES) {
                throw failure(file, "it has more than " + MAX_BYTES + " bytes");
            }
            return parse(Files.readAllBytes(file));
        } catch (MalformedMessageException e) {
            throw failure(file, e.getMessage());
        } catch (RpcException e) {
            throw failure(file, e.message());
        } catch (CharacterCodingException e) {
            throw failure(file, "it is not UTF-8");
        } catch (IOException e) {
            throw failure(file, e.toString());
        }
    }

    private static List<NamedProfile> parse(byte[] json) throws MalformedMessageException, CharacterCodingException {
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(json)); // throws for other bytes
        ParamsReader in = ParamsReader.of(JsonSlice.parse(json, 0, json.length), "Profiles");
        Map<String, JsonSlice> profiles = new LinkedHashMap<>();
        while (in.next()) {
            String member = in.name();
            if (!member.equals("profiles")) {
                throw RpcException.invalidParams("unknown member `" + member + "`, expected `profiles`");
            }
            in.struct("Profiles", names -> {
                while (names.next()) {
                    String id = names.name();
                    if (profiles.put(id, names.slice()) != null) {
                        throw RpcException.invalidParams("the profile `" + id + "` stands there twice");
                    }
                }
                return true;
            });
        }
        List<NamedProfile> read = new ArrayList<>();
        profiles.forEach((id, profile) -> read.add(profile(id, profile)));
        return List.copyOf(read);
    }

    private static NamedProfile profile(String id, JsonSlice value) {
        if (id.isEmpty() || id.startsWith(":") || id.startsWith("{") || id.contains("/")) {
            throw RpcException.invalidParams(
                    "the name `" + id + "` of a profile is empty, has a slash, or begins with a colon or a brace");
        }
        try {
            Optional<String> description = Optional.empty();
            ParamsReader in = ParamsReader.of(value, "PermissionProfile");
            while (in.next()) {
                if (in.name().equals("description")) {
                    description = in.stringOrNull();
                }
            }
            return new NamedProfile(id, description, PermissionProfile.read(value, Dialect.OPEN), Optional.empty());
        } catch (RpcException e) {
            throw RpcException.invalidParams("profile `" + id + "`: " + e.message());
        }
    }

    private static ConfigException failure(Path file, String why) {
        return ConfigException.failure("the permission profiles of " + OPTION + " " + file + " cannot be read: " + why);
    }
}
