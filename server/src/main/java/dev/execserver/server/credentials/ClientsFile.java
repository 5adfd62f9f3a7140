package dev.execserver.server.credentials;

import static java.util.stream.Collectors.joining;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.cli.local.FileErrors;
import dev.execserver.cli.local.LocalFile;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MalformedMessageException;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.limits.CommandLimits;
import dev.execserver.server.environment.EnvironmentProbe;
import dev.execserver.server.rights.LimitName;
import dev.execserver.server.rights.LimitSet;
import dev.execserver.server.rights.Rights;
import dev.execserver.server.sandbox.FloorFileCheck;
import dev.execserver.server.transport.auth.CertificateRule;
import dev.execserver.server.transport.auth.NamedClient;
import dev.execserver.server.transport.auth.NamedClients;
import dev.execserver.server.transport.auth.TokenDigests;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Reads the operator's file of clients: {@code {"clients": [{"name": ..., "tokens": [...]}]}}. Every unknown member is
 * refused, because a misspelt bound would bound nothing. Messages hold no digest. Stateless; blocks.
 */
final class ClientsFile {
    static final String OPTION = "--clients-file";

    /** Longest file in bytes. */
    private static final int MAX_BYTES = 1 << 20;

    /** Longest name, which stands in logs. */
    private static final int MAX_NAME = 64;

    private static final String LIMITS =
            Arrays.stream(LimitName.values()).map(LimitName::member).collect(joining(", "));

    private ClientsFile() {}

    /** @throws ConfigException if it cannot be read, or if other users can change it */
    static NamedClients read(Path file) {
        FloorFileCheck.requireUnchangeable(OPTION, file);
        try (InputStream in = Files.newInputStream(file)) {
            byte[] json = in.readNBytes(MAX_BYTES + 1);
            if (json.length > MAX_BYTES) {
                throw failure(file, "it has more than " + MAX_BYTES + " bytes");
            }
            return parse(json);
        } catch (MalformedMessageException e) {
            throw failure(file, "it is not JSON");
        } catch (RpcException e) {
            throw failure(file, e.message());
        } catch (CharacterCodingException e) {
            throw failure(file, "it is not UTF-8");
        } catch (IOException e) {
            throw failure(file, FileErrors.text(e));
        }
    }

    static NamedClients parse(byte[] json) throws MalformedMessageException, CharacterCodingException {
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(json)); // throws for other bytes
        ParamsReader in = ParamsReader.of(JsonSlice.parse(json, 0, json.length), "Clients");
        List<NamedClient> clients = List.of();
        while (in.next()) {
            if (!in.name().equals("clients")) {
                throw unknown(in.name(), "clients");
            }
            clients = in.structs("Client", ClientsFile::client);
        }
        if (clients.isEmpty()) {
            throw RpcException.invalidParams("it names no client");
        }
        requireDifferent(clients);
        return new NamedClients(clients);
    }

    private static NamedClient client(ParamsReader in) {
        String name = null;
        List<NamedClient.Token> tokens = List.of();
        List<CertificateRule> certificates = List.of();
        Optional<List<String>> methods = Optional.empty();
        boolean requireSandbox = false;
        Optional<SandboxContext> floor = Optional.empty();
        OptionalInt maxSessions = OptionalInt.empty();
        OptionalInt maxProcesses = OptionalInt.empty();
        LimitSet defaultLimits = LimitSet.NONE;
        LimitSet maxLimits = LimitSet.NONE;
        while (in.next()) {
            switch (in.name()) {
                case "name" -> name = name(in.string());
                case "tokens" -> tokens = in.structs("Token", ClientsFile::token);
                case "certificates" ->
                    certificates =
                            in.strings().stream().map(ClientsFile::certificate).toList();
                case "methods" -> methods = Optional.of(in.strings());
                case "requireSandbox" -> requireSandbox = in.bool();
                case "sandboxFloor" -> floor = Optional.of(floor(in.slice()));
                case "maxSessions" -> maxSessions = OptionalInt.of(in.integer(1, Integer.MAX_VALUE, "maxSessions"));
                case "maxProcesses" -> maxProcesses = OptionalInt.of(in.integer(1, Integer.MAX_VALUE, "maxProcesses"));
                case "defaultLimits" -> defaultLimits = in.struct("Limits", ClientsFile::limits);
                case "maxLimits" -> maxLimits = in.struct("Limits", ClientsFile::limits);
                default ->
                    throw unknown(
                            in.name(),
                            "name, tokens, certificates, methods, requireSandbox, sandboxFloor, maxSessions, maxProcesses,"
                                    + " defaultLimits, maxLimits");
            }
        }
        String required = in.required("name", name);
        if (tokens.isEmpty() && certificates.isEmpty()) {
            throw RpcException.invalidParams("the client " + required + " has neither tokens nor certificates");
        }
        return new NamedClient(
                required,
                tokens,
                certificates,
                new Rights(
                        required, methods, requireSandbox, floor, maxSessions, maxProcesses, defaultLimits, maxLimits));
    }

    private static LimitSet limits(ParamsReader in) {
        Map<LimitName, Long> values = new EnumMap<>(LimitName.class);
        while (in.next()) {
            String member = in.name();
            LimitName name = LimitName.of(member).orElseThrow(() -> unknown(member, LIMITS));
            long value = in.u64();
            if (value < name.least() || value > CommandLimits.LARGEST) {
                throw RpcException.invalidParams(
                        member + " must be between " + name.least() + " and " + CommandLimits.LARGEST);
            }
            values.put(name, value);
        }
        return new LimitSet(values);
    }

    private static String name(String name) {
        if (!name.matches("[A-Za-z0-9._@-]{1," + MAX_NAME + "}")) {
            throw RpcException.invalidParams("a name has 1 to " + MAX_NAME + " letters, digits and . _ @ -");
        }
        return name;
    }

    private static NamedClient.Token token(ParamsReader in) {
        String sha256 = null;
        Optional<Instant> from = Optional.empty();
        Optional<Instant> until = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "sha256" ->
                    sha256 = TokenDigests.parse(in.string())
                            .orElseThrow(() -> RpcException.invalidParams("sha256 has 64 hexadecimal digits"));
                case "from" -> from = Optional.of(instant(in.string()));
                case "until" -> until = Optional.of(instant(in.string()));
                default -> throw unknown(in.name(), "sha256, from, until");
            }
        }
        return new NamedClient.Token(in.required("sha256", sha256), from, until);
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw RpcException.invalidParams("`" + text + "` is no time such as 2027-01-31T00:00:00Z");
        }
    }

    private static CertificateRule certificate(String text) {
        return CertificateRule.parse(text)
                .orElseThrow(() -> RpcException.invalidParams(
                        "`" + text + "` names no certificate; write subject:CN=..., dns:..., uri:... or email:..."));
    }

    /** The server's working directory is the workspace, as of the floor of the server. */
    private static SandboxContext floor(JsonSlice profile) {
        return SandboxContext.of(
                PermissionProfile.read(profile, Dialect.OPEN), EnvironmentProbe.uri(LocalFile.workingDirectory()));
    }

    /** A token or a certificate with two owners would give the rights of either. */
    private static void requireDifferent(List<NamedClient> clients) {
        Set<String> names = new HashSet<>();
        Set<Object> credentials = new HashSet<>();
        for (NamedClient client : clients) {
            if (!names.add(client.name())) {
                throw RpcException.invalidParams(
                        "the client " + client.name() + " stands there twice; give it several tokens instead");
            }
            boolean shared = client.tokens().stream().anyMatch(token -> !credentials.add(token.sha256()))
                    || client.certificates().stream().anyMatch(rule -> !credentials.add(rule));
            if (shared) {
                throw RpcException.invalidParams(
                        "a token or certificate of the client " + client.name() + " stands there twice");
            }
        }
    }

    private static RpcException unknown(String member, String expected) {
        return RpcException.invalidParams("unknown member `" + member + "`, expected " + expected);
    }

    private static ConfigException failure(Path file, String why) {
        return ConfigException.failure(
                "the clients of " + OPTION + " " + file + " cannot be read: " + why,
                "Give --clients-file a JSON file that the server's user can read; docs/operate.md has an example.");
    }
}
