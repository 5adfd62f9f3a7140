package dev.execserver.server.sandbox;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.cli.local.FileErrors;
import dev.execserver.protocol.net.NetworkProxyConfig;
import dev.execserver.protocol.net.NetworkProxySettings;
import dev.execserver.protocol.rpc.MalformedMessageException;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.proxy.rules.ProxyPolicy;
import dev.execserver.server.proxy.rules.UpstreamProxies;
import dev.execserver.server.rules.NetworkRules;
import dev.execserver.server.sandbox.toml.TomlFaultException;
import dev.execserver.server.sandbox.toml.TomlProfiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads the operator's file of profiles: TOML if its name ends with {@code .toml}, else JSON. Stateless; blocks. */
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
            byte[] content = Files.readAllBytes(file);
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString();
            return file.toString().endsWith(".toml")
                    ? toml(text)
                    : new JsonProfiles(content, ProfilesFile::requireUsable).read();
        } catch (MalformedMessageException | TomlFaultException e) {
            throw failure(file, e.getMessage());
        } catch (RpcException e) {
            throw failure(file, e.message());
        } catch (CharacterCodingException e) {
            throw failure(file, "it is not UTF-8");
        } catch (IOException e) {
            throw failure(file, FileErrors.text(e));
        }
    }

    private static List<NamedProfile> toml(String text) {
        return TomlProfiles.read(text, Optional.ofNullable(System.getenv("HOME")), ProfilesFile::requireUsable).stream()
                .map(profile ->
                        new NamedProfile(profile.id(), profile.description(), profile.permissions(), profile.proxy()))
                .toList();
    }

    /** @throws RpcException if no proxy can have these rules */
    private static void requireUsable(NetworkProxySettings settings) {
        ProxyPolicy _ = ProxyPolicy.of(
                NetworkProxyConfig.of(settings), NetworkRules.NONE, OPTION, UpstreamProxies.NONE, Optional.empty());
        settings.allowedUnixSockets();
        if (settings.transparentTcp() && !settings.enableSocks5()) {
            throw RpcException.invalidParams("transparentTcp needs enableSocks5");
        }
    }

    private static ConfigException failure(Path file, String why) {
        return ConfigException.failure("the permission profiles of " + OPTION + " " + file + " cannot be read: " + why);
    }
}
