package dev.execserver.server.transport.websocket;

import dev.execserver.server.memory.DescriptorRoom;
import dev.execserver.server.memory.MemoryShare;
import dev.execserver.server.transport.Transport;
import dev.execserver.server.transport.auth.Authenticator;
import dev.execserver.server.transport.files.FileEndpoint;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;

/**
 * How the listener behaves.
 *
 * @param authenticator who may upgrade
 * @param refuseOrigin answer 403 to every request with an Origin header, so that no web page can reach the server
 * @param pingEvery pause between our pings, the first one after connecting included
 * @param deadAfter a peer from which no byte came for so long is dropped
 * @param httpTimeout a connection has so long for its next whole request, TLS handshake included
 * @param closeTimeout how long the peer may take to answer our close frame
 * @param maxConnections upgrades above are answered with 503
 * @param tls certificate and key; plain {@code ws} when empty
 * @param received what unfinished messages of all connections may hold
 * @param descriptors whether there is one left for a new connection
 * @param files serves {@code /files}; unknown there when empty
 * @param ready what {@code /readyz} says
 */
public record WebSocketOptions(
        Authenticator authenticator,
        boolean refuseOrigin,
        Duration pingEvery,
        Duration deadAfter,
        Duration httpTimeout,
        Duration closeTimeout,
        int maxConnections,
        Optional<SSLContext> tls,
        MemoryShare received,
        DescriptorRoom descriptors,
        Optional<FileEndpoint> files,
        BooleanSupplier ready) {

    public static final WebSocketOptions DEFAULT = new WebSocketOptions(
            Authenticator.NONE,
            true,
            Duration.ofSeconds(30),
            Duration.ofSeconds(90),
            Duration.ofSeconds(30),
            Duration.ofSeconds(2),
            4096,
            Optional.empty(),
            new MemoryShare(4L * Transport.MAX_MESSAGE_BYTES, Duration.ofSeconds(10)),
            DescriptorRoom.ofThisProcess(),
            Optional.empty(),
            () -> true);

    public WebSocketOptions {
        positive("pingEvery", pingEvery);
        positive("deadAfter", deadAfter);
        positive("httpTimeout", httpTimeout);
        positive("closeTimeout", closeTimeout);
        if (maxConnections < 1) {
            throw new IllegalArgumentException("maxConnections must be at least 1: " + maxConnections);
        }
    }

    private static void positive(String name, Duration value) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException(name + " must be positive: " + value);
        }
    }

    public WebSocketOptions withAuthenticator(Authenticator value) {
        return new WebSocketOptions(
                value,
                refuseOrigin,
                pingEvery,
                deadAfter,
                httpTimeout,
                closeTimeout,
                maxConnections,
                tls,
                received,
                descriptors,
                files,
                ready);
    }

    public WebSocketOptions withRefuseOrigin(boolean value) {
        return new WebSocketOptions(
                authenticator,
                value,
                pingEvery,
                deadAfter,
                httpTimeout,
                closeTimeout,
                maxConnections,
                tls,
                received,
                descriptors,
                files,
                ready);
    }

    public WebSocketOptions withKeepAlive(Duration every, Duration dead) {
        return new WebSocketOptions(
                authenticator,
                refuseOrigin,
                every,
                dead,
                httpTimeout,
                closeTimeout,
                maxConnections,
                tls,
                received,
                descriptors,
                files,
                ready);
    }

    public WebSocketOptions withHttpTimeout(Duration value) {
        return new WebSocketOptions(
                authenticator,
                refuseOrigin,
                pingEvery,
                deadAfter,
                value,
                closeTimeout,
                maxConnections,
                tls,
                received,
                descriptors,
                files,
                ready);
    }

    public WebSocketOptions withCloseTimeout(Duration value) {
        return new WebSocketOptions(
                authenticator,
                refuseOrigin,
                pingEvery,
                deadAfter,
                httpTimeout,
                value,
                maxConnections,
                tls,
                received,
                descriptors,
                files,
                ready);
    }

    public WebSocketOptions withMaxConnections(int value) {
        return new WebSocketOptions(
                authenticator,
                refuseOrigin,
                pingEvery,
                deadAfter,
                httpTimeout,
                closeTimeout,
                value,
                tls,
                received,
                descriptors,
                files,
                ready);
    }

    public WebSocketOptions withTls(SSLContext value) {
        return new WebSocketOptions(
                authenticator,
                refuseOrigin,
                pingEvery,
                deadAfter,
                httpTimeout,
                closeTimeout,
                maxConnections,
                Optional.of(value),
                received,
                descriptors,
                files,
                ready);
    }

    public WebSocketOptions withReady(BooleanSupplier value) {
        return new WebSocketOptions(
                authenticator,
                refuseOrigin,
                pingEvery,
                deadAfter,
                httpTimeout,
                closeTimeout,
                maxConnections,
                tls,
                received,
                descriptors,
                files,
                value);
    }

    public WebSocketOptions withReceived(MemoryShare value) {
        return new WebSocketOptions(
                authenticator,
                refuseOrigin,
                pingEvery,
                deadAfter,
                httpTimeout,
                closeTimeout,
                maxConnections,
                tls,
                value,
                descriptors,
                files,
                ready);
    }

    public WebSocketOptions withDescriptors(DescriptorRoom value) {
        return new WebSocketOptions(
                authenticator,
                refuseOrigin,
                pingEvery,
                deadAfter,
                httpTimeout,
                closeTimeout,
                maxConnections,
                tls,
                received,
                value,
                files,
                ready);
    }

    public WebSocketOptions withFiles(FileEndpoint value) {
        return new WebSocketOptions(
                authenticator,
                refuseOrigin,
                pingEvery,
                deadAfter,
                httpTimeout,
                closeTimeout,
                maxConnections,
                tls,
                received,
                descriptors,
                Optional.of(value),
                ready);
    }
}
