package dev.execserver.server.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.cli.local.LocalFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Address on which the server listens. Only literal addresses are accepted: a name could resolve to an address that the
 * caller did not mean, and resolving it could block the start.
 */
public sealed interface ListenUrl {
    /** Loopback, on a port that the kernel chooses and the start-up line names. */
    ListenUrl DEFAULT = new WebSocket(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));

    /** A WebSocket listener. With port 0 the kernel chooses a port. */
    record WebSocket(InetSocketAddress address) implements ListenUrl {
        public WebSocket {
            if (address.isUnresolved()) {
                throw new IllegalArgumentException("address must be a literal IP address: " + address);
            }
        }

        public boolean loopback() {
            return address.getAddress().isLoopbackAddress();
        }

        @Override
        public String toString() {
            return "ws://" + SocketAddressText.format(address);
        }
    }

    /** A Unix socket. */
    record Unix(Path path) implements ListenUrl {
        static final String SCHEME = "unix:";
        /** Longest path that struct sockaddr_un of unix(7) has room for. */
        private static final int LONGEST_PATH_BYTES = 107;

        public Unix {
            if (!path.isAbsolute()) {
                throw new IllegalArgumentException("the path of a socket must be absolute: " + path);
            }
            if (path.toString().getBytes(UTF_8).length > LONGEST_PATH_BYTES) {
                throw new IllegalArgumentException(
                        "the path of a socket has at most " + LONGEST_PATH_BYTES + " bytes: " + path);
            }
        }

        @Override
        public String toString() {
            return SCHEME + path;
        }
    }

    /**
     * A socket that the service manager has passed.
     *
     * @param name of the socket; empty for the only one
     */
    record PassedSocket(String name) implements ListenUrl {
        static final String SCHEME = "fd://";

        /** Returns the socket; empty if there is none of that name, or several without one. */
        public Optional<PassedSockets.Passed> find() {
            List<PassedSockets.Passed> wanted = PassedSockets.all().stream()
                    .filter(passed -> name.isEmpty() || passed.name().equals(name))
                    .toList();
            return wanted.size() == 1 ? Optional.of(wanted.getFirst()) : Optional.empty();
        }

        @Override
        public ListenUrl place() {
            return find().map(PassedSockets.Passed::place).orElse(this);
        }

        @Override
        public String toString() {
            return SCHEME + name;
        }
    }

    /** Returns where clients connect to: what a passed socket listens on, otherwise this. */
    default ListenUrl place() {
        return this;
    }

    /** Advice that is printed on a line of its own, because launchers rely on the first line. */
    String ADDRESS =
            "IP is an address such as 127.0.0.1 or [::1], not a name such as localhost; PORT is a number up to 65535, 0"
                    + " for a free one.";

    /** One connection over standard input and output. */
    record Stdio() implements ListenUrl {
        @Override
        public String toString() {
            return "stdio";
        }
    }

    /**
     * Reads {@code ws://IP:PORT}, {@code unix:PATH}, {@code fd://NAME}, {@code stdio} or {@code stdio://}.
     *
     * @throws ConfigException with the text that launchers know
     */
    static ListenUrl parse(String url) {
        if (url.equals("stdio") || url.equals("stdio://")) {
            return new Stdio();
        }
        if (url.startsWith(PassedSocket.SCHEME)) {
            return new PassedSocket(url.substring(PassedSocket.SCHEME.length()));
        }
        if (url.startsWith(Unix.SCHEME)) {
            return unix(url.substring(Unix.SCHEME.length()));
        }
        String scheme = "ws://";
        if (!url.startsWith(scheme)) {
            throw ConfigException.knownUsage(
                    "unsupported --listen URL `%s`; expected `ws://IP:PORT` or `stdio`".formatted(url));
        }
        return SocketAddressText.parse(url.substring(scheme.length()))
                .<ListenUrl>map(WebSocket::new)
                .orElseThrow(() -> ConfigException.knownUsage(
                        "invalid websocket --listen URL `%s`; expected `ws://IP:PORT`".formatted(url), ADDRESS));
    }

    private static ListenUrl unix(String path) {
        try {
            return new Unix(LocalFile.of(path));
        } catch (IllegalArgumentException e) {
            throw ConfigException.usage("invalid --listen %s%s: %s".formatted(Unix.SCHEME, path, e.getMessage()));
        }
    }
}
