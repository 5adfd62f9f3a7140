package dev.execserver.client;

import dev.execserver.client.files.FileTransfers;
import dev.execserver.client.network.NetworkPolicy;
import dev.execserver.client.network.PolicyListener;
import dev.execserver.client.rpc.LinkOptions;
import dev.execserver.client.transport.CertificateTrust;
import dev.execserver.client.transport.Connector;
import dev.execserver.client.transport.Endpoint;
import dev.execserver.client.transport.ProgramConnector;
import dev.execserver.client.transport.WebSocketConnector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** How to reach a server and what to do when it cannot be reached any more. Immutable; made by a {@link Builder}. */
public final class ClientOptions {

    private final Builder values;

    private ClientOptions(Builder values) {
        this.values = values;
    }

    /** A server at {@code ws://HOST:PORT} or {@code wss://HOST:PORT}. */
    public static Builder url(String url) {
        return new Builder(Optional.of(Endpoint.parse(url)), List.of());
    }

    /** A server that is started for this client and speaks over its standard streams; its stderr is that of this JVM. */
    public static Builder program(List<String> argv) {
        return new Builder(Optional.empty(), List.copyOf(argv));
    }

    Connector connector() {
        return values.endpoint.isPresent()
                ? new WebSocketConnector(values.endpoint.get(), values.bearerToken, values.sslContext)
                : new ProgramConnector(values.program);
    }

    /** Only for a server with a URL, and with a token: there are no transfers without. */
    Optional<FileTransfers> transfers() {
        return values.endpoint.flatMap(endpoint -> values.bearerToken.map(token ->
                new FileTransfers(endpoint, token, values.sslContext, values.connectTimeout, values.requestTimeout)));
    }

    PolicyListener policyListener() {
        return new PolicyListener(values.networkPolicy);
    }

    Duration requestTimeout() {
        return values.requestTimeout;
    }

    LinkOptions linkOptions() {
        return new LinkOptions(
                values.clientName,
                values.resumeSessionId,
                values.takeover,
                values.sessionTtl,
                values.nativePaths,
                values.connectTimeout,
                values.initializeTimeout,
                new LinkOptions.Reconnect(values.reconnect, values.reconnectWindow, values.reconnectDelay),
                values.pingInterval);
    }

    /** Sets options; not thread-safe. */
    public static final class Builder implements Cloneable {

        private final Optional<Endpoint> endpoint;
        private final List<String> program;
        private Optional<String> bearerToken = Optional.empty();
        private Optional<SSLContext> sslContext = Optional.empty();
        private String clientName = "exec-server-java";
        private Optional<String> resumeSessionId = Optional.empty();
        private boolean takeover;
        private Optional<Duration> sessionTtl = Optional.empty();
        private boolean nativePaths;
        private Duration connectTimeout = Duration.ofSeconds(10);
        private Duration initializeTimeout = Duration.ofSeconds(10);
        private Duration requestTimeout = Duration.ofSeconds(60);
        private boolean reconnect = true;
        private Duration reconnectWindow = Duration.ofSeconds(45);
        private Duration reconnectDelay = Duration.ofMillis(100);
        private Duration pingInterval = Duration.ofSeconds(10);
        private NetworkPolicy networkPolicy = NetworkPolicy.DENY;

        private Builder(Optional<Endpoint> endpoint, List<String> program) {
            this.endpoint = endpoint;
            this.program = program;
        }

        /** Credential for the upgrade. Never sent over plain {@code ws://} to another machine: that fails instead. */
        public Builder bearerToken(String token) {
            if (!token.matches("[\\x21-\\x7e]+")) {
                throw new IllegalArgumentException("a bearer token has no spaces and is ASCII");
            }
            bearerToken = Optional.of(token);
            return this;
        }

        /** For {@code wss://}; the JDK's default otherwise. Host names are always checked. */
        public Builder sslContext(SSLContext context) {
            sslContext = Optional.of(context);
            return this;
        }

        /**
         * For {@code wss://}: a PEM file with certificates of authorities. What they have signed is trusted, and nothing
         * else; host names are always checked.
         *
         * @throws java.io.UncheckedIOException when it cannot be read or holds no certificate
         */
        public Builder caFile(Path file) {
            try {
                return sslContext(CertificateTrust.ofFile(file));
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read the certificates in " + file, e);
            }
        }

        /** What the server's logs call this client. */
        public Builder clientName(String name) {
            clientName = Objects.requireNonNull(name, "name");
            return this;
        }

        /** Attach to a session instead of beginning one. */
        public Builder resumeSessionId(String id) {
            resumeSessionId = Optional.of(id);
            return this;
        }

        /** With a session to resume: take it from a client that is alive. A wish; servers without it ignore it. */
        public Builder takeover(boolean value) {
            takeover = value;
            return this;
        }

        /** How long the session shall outlive a connection. A wish; see {@link ExecServerClient#sessionTtl()}. */
        public Builder sessionTtl(Duration ttl) {
            sessionTtl = Optional.of(ttl);
            return this;
        }

        /**
         * Paths are sent as they are instead of as {@code file:} URIs. Servers of the first era always get them so; some
         * of the second era take nothing else and cannot be told from those that take URIs only.
         */
        public Builder nativePaths(boolean value) {
            nativePaths = value;
            return this;
        }

        /** For the connection with its TLS and upgrade; 10 s by default. */
        public Builder connectTimeout(Duration limit) {
            connectTimeout = positive(limit);
            return this;
        }

        /** For the handshake; 10 s by default. */
        public Builder initializeTimeout(Duration limit) {
            initializeTimeout = positive(limit);
            return this;
        }

        /**
         * For each request, while there is a connection; 60 s by default. Writes to stdin have no limit. A transfer over HTTP
         * fails when nothing of it has moved for so long.
         */
        public Builder requestTimeout(Duration limit) {
            requestTimeout = positive(limit);
            return this;
        }

        /** Whether to resume the session when the connection is lost; true by default. */
        public Builder reconnect(boolean value) {
            reconnect = value;
            return this;
        }

        /** How long that is tried; 45 s by default. */
        public Builder reconnectWindow(Duration window) {
            reconnectWindow = positive(window);
            return this;
        }

        /** Between two attempts; 100 ms by default. The first is made at once. */
        public Builder reconnectDelay(Duration delay) {
            reconnectDelay = positive(delay);
            return this;
        }

        /** How often a silent WebSocket is asked for a sign of life; twice that without one and it is lost. 10 s. */
        public Builder pingInterval(Duration interval) {
            pingInterval = positive(interval);
            return this;
        }

        /** Who answers when the network proxy of a process asks; {@link NetworkPolicy#DENY} by default. */
        public Builder networkPolicy(NetworkPolicy policy) {
            networkPolicy = Objects.requireNonNull(policy, "policy");
            return this;
        }

        public ClientOptions build() {
            try {
                return new ClientOptions((Builder) clone());
            } catch (CloneNotSupportedException e) {
                throw new IllegalStateException(e);
            }
        }

        private static Duration positive(Duration value) {
            if (value.isNegative() || value.isZero()) {
                throw new IllegalArgumentException("a time must be positive: " + value);
            }
            return value;
        }
    }
}
