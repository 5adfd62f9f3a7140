package dev.execserver.server.transport.websocket;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import java.io.IOException;
import java.net.BindException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;

/**
 * File of a Unix socket. A file that a server has left behind is replaced. Between its making and the setting of its mode
 * others may connect; who may stay is decided by the user of the peer, not by the mode alone.
 *
 * @param group of the file; empty for that of the server
 */
record UnixPlace(Path path, Set<PosixFilePermission> mode, Optional<String> group) implements ListenPlace {
    private static final int KIND_BITS = 0170000;
    private static final int SOCKET = 0140000;

    @Override
    public String name() {
        return "unix:" + path;
    }

    @Override
    public String url(boolean tls) {
        return name();
    }

    @Override
    public void prepare() throws ListenException {
        try {
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                removeLeftover();
            }
            // Helidon would only log why it cannot bind.
            try (ServerSocketChannel trial = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                trial.bind(UnixDomainSocketAddress.of(path));
            }
            Files.delete(path);
        } catch (SocketException e) {
            throw ListenException.of(e instanceof BindException ? e : new IOException(path + ": " + e.getMessage(), e));
        } catch (IOException e) {
            throw ListenException.of(e);
        }
    }

    private void removeLeftover() throws IOException {
        int kind = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & KIND_BITS;
        if (kind != SOCKET) {
            throw new FileAlreadyExistsException(path.toString(), null, "exists and is no socket");
        }
        if (served()) {
            throw new BindException("Address already in use");
        }
        Files.delete(path);
    }

    private boolean served() {
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return probe.connect(UnixDomainSocketAddress.of(path));
        } catch (IOException e) {
            return false; // ECONNREFUSED: its server is gone
        }
    }

    @Override
    public void addTo(WebServerConfig.Builder server) {
        server.bindAddress(UnixDomainSocketAddress.of(path)).useNio(true);
    }

    @Override
    public UnixPlace opened(WebServer server) throws ListenException {
        try {
            PosixFileAttributeView file =
                    Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
            if (group.isPresent()) {
                file.setGroup(
                        path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName(group.get()));
            }
            Files.setPosixFilePermissions(path, mode);
            return this;
        } catch (IOException e) {
            throw ListenException.of(e);
        }
    }

    /** Helidon removes the file of a listener that it gives up. */
    @Override
    public boolean deserted() {
        return !Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }
}
