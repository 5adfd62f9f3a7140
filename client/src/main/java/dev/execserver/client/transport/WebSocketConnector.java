package dev.execserver.client.transport;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** Opens WebSockets. A bearer token is never sent to another machine without encryption. */
public final class WebSocketConnector implements Connector {

    static final int READ_BUFFER_BYTES = 64 << 10;

    private final Endpoint endpoint;
    private final UpgradeHeaders headers;
    private final Optional<SSLContext> sslContext;
    private final Optional<HttpProxy> proxy;

    /** True once an upgrade was answered: the scheme of the URL is right. */
    private volatile boolean reached;

    /** @param sslContext for {@code wss}; if empty, the JDK's default context */
    public WebSocketConnector(Endpoint endpoint, UpgradeHeaders headers, Optional<SSLContext> sslContext) {
        this(endpoint, headers, sslContext, Optional.empty());
    }

    /** @param proxy through which the server is reached; it finds the server by its name */
    public WebSocketConnector(
            Endpoint endpoint, UpgradeHeaders headers, Optional<SSLContext> sslContext, Optional<HttpProxy> proxy) {
        this.proxy = proxy;
        this.endpoint = endpoint;
        this.headers = headers;
        this.sslContext = sslContext;
    }

    @Override
    public ClientTransport open(Duration limit) throws IOException {
        InetSocketAddress address = proxy.isPresent()
                ? proxy.get().address()
                : new InetSocketAddress(InetAddress.getByName(endpoint.host()), endpoint.port());
        if (proxy.isPresent() && headers.token().isPresent() && !endpoint.tls()) {
            throw new IOException("refusing to send the bearer token over plain ws:// through a proxy; use wss://");
        }
        if (headers.token().isPresent()
                && !endpoint.tls()
                && !address.getAddress().isLoopbackAddress()) {
            throw new IOException("refusing to send the bearer token over plain ws:// to " + endpoint.host()
                    + ", which is not this machine; use wss://");
        }
        Upgrade request = new Upgrade(endpoint, headers);
        Socket socket = new Socket();
        return ConnectLimit.run(socket, limit, (limitMs, deadline) -> {
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            socket.connect(address, limitMs);
            if (proxy.isPresent()) {
                proxy.get().connect(endpoint, socket.getInputStream(), socket.getOutputStream());
            }
            Socket wire = endpoint.tls() ? encrypted(socket, deadline) : socket;
            InputStream in = new BufferedInputStream(wire.getInputStream(), READ_BUFFER_BYTES);
            OutputStream out = wire.getOutputStream();
            upgrade(request, in, out);
            return new WebSocketTransport(wire, in, out);
        });
    }

    @Override
    public boolean reconnectable() {
        return true;
    }

    @Override
    public String toString() {
        return (endpoint.tls() ? "wss://" : "ws://")
                + endpoint.authority()
                + proxy.map(by -> " by the proxy " + by).orElse("");
    }

    private void upgrade(Upgrade request, InputStream in, OutputStream out) throws IOException {
        try {
            request.perform(in, out);
            reached = true;
        } catch (SocketException | EOFException e) {
            // Servers with TLS react so to a request in plain text.
            throw endpoint.tls() || reached
                    ? e
                    : new IOException(e.getMessage() + "; the URL of a server with TLS begins with wss://", e);
        }
    }

    private Socket encrypted(Socket socket, long deadline) throws IOException {
        SSLSocket wire =
                (SSLSocket) context().getSocketFactory().createSocket(socket, endpoint.host(), endpoint.port(), true);
        SSLParameters parameters = wire.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        wire.setSSLParameters(parameters);
        wire.setSoTimeout((int) Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
        try {
            wire.startHandshake();
        } catch (SSLException e) {
            // The JDK's message for input that is no TLS record.
            if (String.valueOf(e.getMessage()).startsWith("Unsupported or unrecognized SSL message")) {
                throw new IOException("the server does not speak TLS; its URL begins with ws://", e);
            }
            throw e;
        }
        wire.setSoTimeout(0);
        return wire;
    }

    private SSLContext context() throws IOException {
        try {
            return sslContext.isPresent() ? sslContext.get() : SSLContext.getDefault();
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IOException("no TLS in this Java", e);
        }
    }
}
