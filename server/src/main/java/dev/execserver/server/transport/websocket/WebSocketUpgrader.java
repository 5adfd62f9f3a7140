package dev.execserver.server.transport.websocket;

import dev.execserver.server.transport.PresentedCredentials;
import dev.execserver.server.transport.TraceHeader;
import dev.execserver.server.transport.auth.Admission;
import dev.execserver.server.transport.auth.Admitted;
import dev.execserver.server.transport.auth.Subject;
import dev.execserver.server.transport.console.ConsoleAccess;
import dev.execserver.server.transport.console.ConsoleEndpoint;
import dev.execserver.server.transport.files.RawConnection;
import dev.execserver.server.transport.origin.ClientAddress;
import io.helidon.common.buffers.BufferData;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HttpPrologue;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.http.WritableHeaders;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.spi.Http1Upgrader;
import io.helidon.webserver.spi.ServerConnection;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Checks the opening handshake (RFC 6455 section 4.2) and answers it. Offers no subprotocol and no extension.
 *
 * <p>Threads: connection threads. No state, no locks.
 */
final class WebSocketUpgrader implements Http1Upgrader {
    private static final HeaderName KEY = HeaderNames.create("Sec-WebSocket-Key");
    private static final HeaderName VERSION = HeaderNames.create("Sec-WebSocket-Version");
    /** RFC 6455 section 1.3. */
    private static final String ACCEPT_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private static final int KEY_BYTES = 16;

    private final String protocol;
    private final WebSocketOptions.Access access;
    private final WebSocketOptions.Place place;
    private final Optional<ConsoleEndpoint> console;
    private final Connections connections;

    /** @param protocol spelling of "websocket" to accept: Helidon compares it exactly, the RFC does not */
    WebSocketUpgrader(String protocol, WebSocketOptions options, Connections connections) {
        this.protocol = protocol;
        this.access = options.access();
        this.place = options.http().place();
        this.console = options.http().console();
        this.connections = connections;
    }

    @Override
    public String supportedProtocol() {
        return protocol;
    }

    @Override
    public ServerConnection upgrade(ConnectionContext context, HttpPrologue prologue, WritableHeaders<?> headers) {
        SocketAddress peer = context.remotePeer().address();
        ClientAddress client = place.forwarding().client(peer, SocketHelpers.text(peer), headers);
        RawConnection.current().clientIs(client);
        Optional<ConsoleAccess> page = console.map(ConsoleEndpoint::access).filter(_ -> ConsoleAccess.asked(headers));
        if (page.isEmpty() && access.refuseOrigin() && headers.contains(HeaderNames.ORIGIN)) {
            throw HttpRefusal.of(Status.FORBIDDEN_403, HttpRefusal.ORIGIN);
        }
        HostHeader.check(headers);
        if (prologue.method() != Method.GET || !root(prologue.uriPath().rawPath())) {
            return null; // HttpEndpoints answers it as an ordinary request
        }
        if (RawConnection.current().old()) {
            throw HttpRefusal.of(Status.HTTP_VERSION_NOT_SUPPORTED_505, "WebSockets need HTTP/1.1");
        }
        HostHeader.check(headers, access.hosts());
        page.flatMap(guard -> guard.refusal(headers)).ifPresent(why -> {
            throw HttpRefusal.of(Status.FORBIDDEN_403, why);
        });
        if (!hasToken(headers, HeaderNames.CONNECTION, "upgrade")) {
            throw HttpRefusal.of(Status.BAD_REQUEST_400, "Connection header did not include 'upgrade'");
        }
        if (!first(headers, VERSION).equals(Optional.of("13"))) {
            throw HttpRefusal.wrongVersion();
        }
        String key = first(headers, KEY)
                .filter(WebSocketUpgrader::wellFormed)
                .orElseThrow(
                        () -> HttpRefusal.of(Status.BAD_REQUEST_400, "Sec-WebSocket-Key header missing or malformed"));
        Consumer<Duration> delayed = wait -> connections.refusedSoon(peer, wait);
        Admission admission = page.isPresent()
                ? page.get().check(context.remotePeer(), headers, ConsoleAccess.key(headers), delayed)
                : access.authenticator().check(PresentedCredentials.of(context.remotePeer(), headers, delayed));
        return switch (admission) {
            case Admission.Granted(var subject) ->
                accept(
                        context,
                        key,
                        new WebSocketTransport.Peer(client, admitted(subject, page), TraceHeader.of(headers)),
                        page.isPresent() ? ConsoleAccess.ANSWER : "");
            case Admission.Refused(String why) -> throw HttpRefusal.of(Status.UNAUTHORIZED_401, why);
        };
    }

    private static Admitted admitted(Optional<Subject> subject, Optional<ConsoleAccess> page) {
        return page.map(limits -> limits.admitted(subject)).orElseGet(() -> new Admitted(subject));
    }

    private boolean root(String path) {
        return place.base().below(path).equals(Optional.of("/"));
    }

    private ServerConnection accept(
            ConnectionContext context, String key, WebSocketTransport.Peer client, String protocolLine) {
        SocketChannel channel = connections.admit(context);
        boolean answered = false;
        try {
            context.dataWriter()
                    .writeNow(BufferData.create("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"
                            + "Upgrade: websocket\r\nSec-WebSocket-Accept: " + digest(key) + "\r\n" + protocolLine
                            + "\r\n"));
            answered = true;
        } finally {
            if (!answered) {
                connections.forget(context, channel);
            }
        }
        return connections.open(context, channel, client);
    }

    private static Optional<String> first(WritableHeaders<?> headers, HeaderName name) {
        return headers.contains(name) ? Optional.of(headers.get(name).get().strip()) : Optional.empty();
    }

    private static boolean hasToken(WritableHeaders<?> headers, HeaderName name, String token) {
        if (!headers.contains(name)) {
            return false;
        }
        for (String value : headers.get(name).allValues()) {
            for (String part : value.split(",", -1)) {
                if (part.strip().toLowerCase(Locale.ROOT).equals(token)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean wellFormed(String key) {
        try {
            return Base64.getDecoder().decode(key).length == KEY_BYTES;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static String digest(String key) {
        try {
            byte[] text = (key + ACCEPT_GUID).getBytes(StandardCharsets.US_ASCII);
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-1").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }
}
