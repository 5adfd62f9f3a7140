package dev.execserver.client.transport;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;

/** Opens WebSockets over the Unix socket of a server on this machine. */
public final class UnixConnector implements Connector {
    /** Begin of the URL, which the absolute path follows. */
    public static final String SCHEME = "unix:";

    /** For the Host header, which the server wants although it has no meaning here. */
    private static final Endpoint HOST = new Endpoint(false, "localhost", 80, "/");

    private final Path socket;
    private final UpgradeHeaders headers;

    public UnixConnector(Path socket, UpgradeHeaders headers) {
        this.socket = socket;
        this.headers = headers;
    }

    @Override
    public ClientTransport open(Duration limit) throws IOException {
        Upgrade request = new Upgrade(HOST, headers);
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        return ConnectLimit.run(channel, limit, (unusedSocket, unusedTime) -> {
            connect(channel);
            InputStream in =
                    new BufferedInputStream(Channels.newInputStream(channel), WebSocketConnector.READ_BUFFER_BYTES);
            OutputStream out = Channels.newOutputStream(channel);
            request.perform(in, out);
            return new WebSocketTransport(channel, in, out);
        });
    }

    private void connect(SocketChannel channel) throws IOException {
        try {
            channel.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException e) {
            throw new IOException(socket + ": " + e.getMessage(), e);
        }
    }

    @Override
    public boolean reconnectable() {
        return true;
    }

    @Override
    public String toString() {
        return SCHEME + socket;
    }
}
