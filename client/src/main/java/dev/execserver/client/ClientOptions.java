package dev.execserver.client;

import dev.execserver.client.exec.ExecApprovals;
import dev.execserver.client.exec.ExecListener;
import dev.execserver.client.files.FileTransfers;
import dev.execserver.client.network.NetworkPolicy;
import dev.execserver.client.network.PolicyListener;
import dev.execserver.client.rpc.LinkOptions;
import dev.execserver.client.transport.CertificateTrust;
import dev.execserver.client.transport.Connector;
import dev.execserver.client.transport.Endpoint;
import dev.execserver.client.transport.HttpProxy;
import dev.execserver.client.transport.ProgramConnector;
import dev.execserver.client.transport.UnixConnector;
import dev.execserver.client.transport.UpgradeHeaders;
import dev.execserver.client.transport.WebSocketConnector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/** Address of a server, and settings of the connection to it. Immutable; made by a {@link Builder}. */
public final class ClientOptions {

    private final Builder values;

    private ClientOptions(Builder values) {
        this.values = values;
    }

    /** Uses a server at {@code ws://HOST:PORT}, {@code wss://HOST:PORT}, or {@code unix:PATH} on this machine. */
    public static Builder url(String url) {
        return url.startsWith(UnixConnector.SCHEME)
                ? new Builder(Optional.empty(), Optional.of(socket(url)), Optional.empty())
                : new Builder(Optional.of(Endpoint.parse(url)), Optional.empty(), Optional.empty());
    }

    private static Path socket(String url) {
        Path path = Path.of(url.substring(UnixConnector.SCHEME.length()));
        if (!path.isAbsolute()) {
            throw new IllegalArgumentException("`" + url + "` names no absolute path; write unix:/PATH");
        }
        return path;
    }

    /** Starts a server for this client, which speaks over its standard streams. Its stderr is that of this JVM. */
    public static Builder program(List<String> argv) {
        return program(argv.getFirst(), argv);
    }

    /**
     * Does the same for a program that another one starts.
     *
     * @param name for messages
     */
    public static Builder program(String name, List<String> argv) {
        return new Builder(Optional.empty(), Optional.empty(), Optional.of(new ProgramConnector(name, argv)));
    }

    Connector connector() {
        if (values.socket.isPresent()) {
            return new UnixConnector(values.socket.get(), values.headers);
        }
        return values.endpoint.isPresent()
                ? new WebSocketConnector(values.endpoint.get(), values.headers, values.sslContext, values.proxy)
                : values.program.orElseThrow();
    }

    /**
     * Returns transfers for a server with a URL and a token; empty without them, because transfers need both. Empty also for
     * a proxy with a password, which the client of the JDK does not send with CONNECT, and for a proxy without TLS, which
     * would see the token.
     */
    Optional<FileTransfers> transfers() {
        boolean hidden = values.endpoint.filter(Endpoint::tls).isPresent()
                && values.proxy.flatMap(HttpProxy::credentials).isEmpty();
        if (values.proxy.isPresent() && !hidden) {
            return Optional.empty();
        }
        return values.endpoint.flatMap(endpoint -> values.headers
                .token()
                .map(token -> new FileTransfers(
                        endpoint,
                        token,
                        values.sslContext,
                        values.proxy,
                        values.connectTimeout,
                        values.requestTimeout)));
    }

    PolicyListener policyListener() {
        return new PolicyListener(values.networkPolicy);
    }

    ConnectionEvents connectionEvents() {
        return new ConnectionEvents(values.connectionListener);
    }

    ExecListener execListener() {
        return new ExecListener(values.execApprovals);
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
                values.sessionName,
                values.nativePaths,
                values.connectTimeout,
                values.initializeTimeout,
                new LinkOptions.Reconnect(values.reconnect, values.reconnectWindow, values.reconnectDelay),
                values.pingInterval);
    }

    /** Sets options; not thread-safe. */
    public static final class Builder implements Cloneable {

        private final Optional<Endpoint> endpoint;
        private final Optional<Path> socket;
        private final Optional<ProgramConnector> program;
        private UpgradeHeaders headers = UpgradeHeaders.NONE;
        private Optional<SSLContext> sslContext = Optional.empty();
        private Optional<HttpProxy> proxy = Optional.empty();
        private ConnectionListener connectionListener = ConnectionListener.NONE;
        private String clientName = "exec-server-java";
        private Optional<String> resumeSessionId = Optional.empty();
        private boolean takeover;
        private Optional<Duration> sessionTtl = Optional.empty();
        private Optional<String> sessionName = Optional.empty();
        private boolean nativePaths;
        private Duration connectTimeout = Duration.ofSeconds(10);
        private Duration initializeTimeout = Duration.ofSeconds(10);
        private Duration requestTimeout = Duration.ofSeconds(60);
        private boolean reconnect = true;
        private Duration reconnectWindow = Duration.ofSeconds(45);
        private Duration reconnectDelay = Duration.ofMillis(100);
        private Duration pingInterval = Duration.ofSeconds(10);
        private NetworkPolicy networkPolicy = NetworkPolicy.DENY;
        private ExecApprovals execApprovals = ExecApprovals.DENY;

        private Builder(Optional<Endpoint> endpoint, Optional<Path> socket, Optional<ProgramConnector> program) {
            this.endpoint = endpoint;
            this.socket = socket;
            this.program = program;
        }

        /**
         * Sets the credential for the upgrade. Connecting fails rather than send it over plain {@code ws://} to another
         * machine.
         */
        public Builder bearerToken(String token) {
            String checked = UpgradeHeaders.checked(token);
            return bearerToken(() -> checked);
        }

        /**
         * Sets who supplies the credential. Asked for every connection and every transfer, so that one that has expired
         * can be replaced; may be called on several threads at once. What it throws fails the attempt to connect.
         */
        public Builder bearerToken(Supplier<String> supplier) {
            headers = headers.withToken(Objects.requireNonNull(supplier, "supplier"));
            return this;
        }

        /**
         * Adds a header to the upgrade, for a proxy in front of the server for example.
         *
         * @throws IllegalArgumentException when it is no header of HTTP, or one that the client sets itself
         */
        public Builder header(String name, String value) {
            headers = headers.with(name, value);
            return this;
        }

        /** Sets the TLS context for {@code wss://}; default: that of the JDK. Host names are always checked. */
        public Builder sslContext(SSLContext context) {
            sslContext = Optional.of(context);
            return this;
        }

        /**
         * Sets a PEM file with certificates of authorities for {@code wss://}. Only certificates that they have signed
         * are trusted. Host names are always checked.
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

        /**
         * Sets the HTTP proxy through which the server is reached, {@code http://HOST:PORT} or
         * {@code http://USER:PASSWORD@HOST:PORT}; variables and properties are not looked at. It must allow CONNECT.
         */
        public Builder proxy(String url) {
            proxy = Optional.of(HttpProxy.parse(url));
            return this;
        }

        /** Sets who hears that the connection was lost, made again, or has ended. */
        public Builder connectionListener(ConnectionListener listener) {
            connectionListener = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /** Sets the name of this client in the server's logs. */
        public Builder clientName(String name) {
            clientName = Objects.requireNonNull(name, "name");
            return this;
        }

        /** Attaches to this session instead of beginning one. */
        public Builder resumeSessionId(String id) {
            resumeSessionId = Optional.of(id);
            return this;
        }

        /** Takes the session to resume from a client that is alive. Servers without this addition ignore it. */
        public Builder takeover(boolean value) {
            takeover = value;
            return this;
        }

        /**
         * Sets the time for which the session should outlive a connection. The server may choose another time, see
         * {@link ExecServerClient#sessionTtl()}.
         */
        public Builder sessionTtl(Duration ttl) {
            sessionTtl = Optional.of(ttl);
            return this;
        }

        /** Sets a name for the session, by which people find it. Servers without this addition ignore it. */
        public Builder sessionName(String name) {
            sessionName = Optional.of(name);
            return this;
        }

        /**
         * Sends native paths instead of {@code file:} URIs. Servers of the first era always get native paths. Some
         * servers of the second era accept only those, and cannot be told from servers that accept only URIs.
         */
        public Builder nativePaths(boolean value) {
            nativePaths = value;
            return this;
        }

        /** Sets the limit for the connection with its TLS and upgrade; default 10 s. */
        public Builder connectTimeout(Duration limit) {
            connectTimeout = positive(limit);
            return this;
        }

        /** Sets the limit for the handshake; default 10 s. */
        public Builder initializeTimeout(Duration limit) {
            initializeTimeout = positive(limit);
            return this;
        }

        /**
         * Sets the limit for each request, counted while there is a connection; default 60 s. Writes to stdin have no
         * limit. A transfer over HTTP fails if none of its bytes has moved for this time.
         */
        public Builder requestTimeout(Duration limit) {
            requestTimeout = positive(limit);
            return this;
        }

        /** Sets if the session is resumed after the connection was lost; default true. */
        public Builder reconnect(boolean value) {
            reconnect = value;
            return this;
        }

        /** Sets how long it tries to resume the session; default 45 s. */
        public Builder reconnectWindow(Duration window) {
            reconnectWindow = positive(window);
            return this;
        }

        /** Sets the pause between two attempts; default 100 ms. The first attempt is made at once. */
        public Builder reconnectDelay(Duration delay) {
            reconnectDelay = positive(delay);
            return this;
        }

        /**
         * Sets the time of silence after which a WebSocket is asked for a sign of life; default 10 s. After twice this
         * time without one the connection counts as lost.
         */
        public Builder pingInterval(Duration interval) {
            pingInterval = positive(interval);
            return this;
        }

        /** Sets the policy that answers questions of processes' network proxies; default {@link NetworkPolicy#DENY}. */
        public Builder networkPolicy(NetworkPolicy policy) {
            networkPolicy = Objects.requireNonNull(policy, "policy");
            return this;
        }

        /**
         * Sets who answers questions about programs that rules ask about, and gets the reports about them; default
         * {@link ExecApprovals#DENY}.
         */
        public Builder execApprovals(ExecApprovals approvals) {
            execApprovals = Objects.requireNonNull(approvals, "approvals");
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
