package dev.execserver.server.credentials;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.access.AccessField;
import dev.execserver.server.access.AccessKind;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.config.Auth;
import dev.execserver.server.config.ServerConfig;
import dev.execserver.server.config.Tls;
import dev.execserver.server.transport.auth.AuthConfigurationException;
import dev.execserver.server.transport.auth.Authenticator;
import dev.execserver.server.transport.auth.CapabilityToken;
import dev.execserver.server.transport.auth.ReplaceableAuthenticator;
import dev.execserver.server.transport.auth.SignedBearer;
import dev.execserver.server.transport.tls.PemFiles;
import dev.execserver.server.transport.tls.ReplaceableKeys;
import dev.execserver.server.transport.tls.ReplaceableTrust;
import dev.execserver.server.transport.tls.TlsConfigurationException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.X509ExtendedKeyManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Token, key of signed tokens, certificate and TLS key of the listener. They are read at the start, and again by {@link
 * #reload}. Files that cannot be used then change nothing: the credentials of before stay. Connections that are open stay
 * open. {@code lock} makes reloads take turns.
 */
public final class Credentials {
    private static final Logger LOG = LoggerFactory.getLogger(Credentials.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Credential> replaceable = new ArrayList<>();
    private final Authenticator authenticator;
    private final Optional<SSLContext> tls;

    /**
     * Reads the files.
     *
     * @throws ConfigException if one cannot be used
     */
    public Credentials(ServerConfig config) {
        authenticator = authenticator(config.listen().auth(), config.timing().credentialOverlap());
        tls = config.listen().tls().map(this::serverContext);
    }

    public Authenticator authenticator() {
        return authenticator;
    }

    public Optional<SSLContext> tls() {
        return tls;
    }

    /** Returns the files that {@link #reload} reads. */
    List<Path> files() {
        return replaceable.stream()
                .flatMap(credential -> credential.files().stream())
                .toList();
    }

    /** Reads all files again, and logs the result for each of them. Touches files. */
    public void reload(AccessLog access) {
        lock.lock();
        try {
            replaceable.forEach(credential -> reload(credential, access));
        } finally {
            lock.unlock();
        }
    }

    private static void reload(Credential credential, AccessLog access) {
        AccessEvent event =
                AccessEvent.of(AccessKind.CREDENTIALS_RELOADED).put(AccessField.CREDENTIAL, credential.option());
        try {
            if (credential.reload().getAsBoolean()) {
                LOG.info("{} was read again; its new content is in force", credential.option());
                access.write(event);
            }
        } catch (ConfigException e) {
            LOG.warn(
                    "{} cannot be read again; what was read before stays in force: {}",
                    credential.option(),
                    e.getMessage());
            access.write(event.put(AccessField.ERROR, e.getMessage()).warning());
        }
    }

    private Authenticator authenticator(Auth auth, Duration overlap) {
        return switch (auth) {
            case Auth.None _, Auth.TokenDigest _ -> read(auth);
            case Auth.TokenFile(Path file) -> replaceable("--ws-token-file", file, auth, overlap);
            // A client may have several tokens, each with its times; what is taken out of the file ends at once.
            case Auth.NamedClients(Path file) -> replaceable(ClientsFile.OPTION, file, auth, Duration.ZERO);
            case Auth.SignedBearer bearer -> replaceable("--ws-shared-secret-file", bearer.secretFile(), auth, overlap);
        };
    }

    private Authenticator replaceable(String option, Path file, Auth auth, Duration overlap) {
        ReplaceableAuthenticator made = new ReplaceableAuthenticator(read(auth));
        replaceable.add(new Credential(option, List.of(file), () -> made.replace(read(auth), overlap)));
        return made;
    }

    private static Authenticator read(Auth auth) {
        try {
            return switch (auth) {
                case Auth.None _ -> Authenticator.NONE;
                case Auth.TokenFile(var file) -> CapabilityToken.fromFile(file);
                case Auth.NamedClients(var file) -> ClientsFile.read(file);
                case Auth.TokenDigest(String digest) -> CapabilityToken.fromSha256(digest);
                case Auth.SignedBearer(var file, var issuer, var audience, var skew) ->
                    SignedBearer.fromFile(file, issuer, audience, skew);
            };
        } catch (AuthConfigurationException e) {
            throw ConfigException.failure(e.getMessage(), remedy(auth));
        }
    }

    /** Returns advice for a second line, because launchers rely on the first line of the error. */
    private static String remedy(Auth auth) {
        return switch (auth) {
            case Auth.TokenFile _ -> "Give --ws-token-file a file with the token that the server's user can read.";
            case Auth.SignedBearer _ ->
                "Give --ws-shared-secret-file a file with 32 bytes or more that the server's user can read.";
            case Auth.None _, Auth.NamedClients _, Auth.TokenDigest _ -> "";
        };
    }

    private SSLContext serverContext(Tls files) {
        ReplaceableKeys keys = new ReplaceableKeys(read(files));
        replaceable.add(new Credential(
                "--tls-cert, --tls-key", List.of(files.certificate(), files.key()), () -> keys.replace(read(files))));
        return PemFiles.serverContext(keys, files.clientCa().map(this::clientTrust));
    }

    private ReplaceableTrust clientTrust(Path authorities) {
        ReplaceableTrust trust = trusting(() -> new ReplaceableTrust(authorities));
        replaceable.add(new Credential(
                "--tls-client-ca", List.of(authorities), () -> trusting(() -> trust.replace(authorities))));
        return trust;
    }

    private static <T> T trusting(Supplier<T> reading) {
        try {
            return reading.get();
        } catch (TlsConfigurationException e) {
            throw ConfigException.failure(
                    e.getMessage(),
                    "Give --tls-client-ca a PEM file with certificates that the server's user can read.");
        }
    }

    private static X509ExtendedKeyManager read(Tls files) {
        try {
            return PemFiles.serverKeys(files.certificate(), files.key());
        } catch (TlsConfigurationException e) {
            throw ConfigException.failure(
                    e.getMessage(),
                    "Give --tls-cert and --tls-key PEM files that the server's user can read; the key PKCS#8 and not"
                            + " encrypted.");
        }
    }
}
