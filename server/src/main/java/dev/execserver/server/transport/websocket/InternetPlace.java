package dev.execserver.server.transport.websocket;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/**
 * Address and port.
 *
 * @param address with a literal host; port 0 for any free one
 */
record InternetPlace(InetSocketAddress address) implements ListenPlace {

    /** @param host literal address */
    static InternetPlace of(String host, int port) {
        return new InternetPlace(new InetSocketAddress(InetAddress.ofLiteral(host), port));
    }

    @Override
    public String name() {
        return SocketHelpers.text(address);
    }

    @Override
    public String url(boolean tls) {
        return (tls ? "wss://" : "ws://") + name();
    }

    @Override
    public void prepare() throws ListenException {
        try (ServerSocket probe = new ServerSocket()) {
            bind(probe);
        } catch (IOException e) {
            throw ListenException.of(e);
        }
    }

    @Override
    public void addTo(WebServerConfig.Builder server) {
        server.host(address.getHostString()).address(address.getAddress()).port(address.getPort());
    }

    @Override
    public InternetPlace opened(WebServer server) {
        return new InternetPlace(new InetSocketAddress(address.getAddress(), server.port()));
    }

    /** While a socket listens, its address cannot be bound again, with or without SO_REUSEADDR, see socket(7). */
    @Override
    public boolean deserted() {
        try (ServerSocket probe = new ServerSocket()) {
            bind(probe);
            return true;
        } catch (IOException e) {
            return false; // in use, as it should be; or no descriptor is free, and the next check will tell
        }
    }

    private void bind(ServerSocket probe) throws IOException {
        probe.setReuseAddress(true);
        probe.bind(address, 1);
    }
}
