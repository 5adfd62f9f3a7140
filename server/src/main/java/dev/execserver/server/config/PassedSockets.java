package dev.execserver.server.config;

import dev.execserver.sandbox.linux.InheritedSockets;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sockets that a service manager has passed to this process, see sd_listen_fds(3). Stateless. */
public final class PassedSockets {
    /** The first of them; they follow each other. */
    private static final int FIRST = 3;

    /** Most sockets that are looked at, so that a wrong number does no harm. */
    private static final int MOST = 64;

    private PassedSockets() {}

    /**
     * A socket.
     *
     * @param name that the manager gives it: the name of its unit, or FileDescriptorName=
     */
    public record Passed(String name, int descriptor, ListenUrl place) {}

    /** Returns the sockets of this process that listen. Commands will not inherit them. */
    static List<Passed> all() {
        return all(System.getenv(), ProcessHandle.current().pid());
    }

    static List<Passed> all(Map<String, String> environment, long pid) {
        List<Passed> found = new ArrayList<>();
        if (!environment.getOrDefault("LISTEN_PID", "").equals(Long.toString(pid))) {
            return found; // they were meant for another process
        }
        String[] names = environment.getOrDefault("LISTEN_FDNAMES", "").split(":", -1);
        for (int i = 0; i < count(environment); i++) {
            int descriptor = FIRST + i;
            String name = i < names.length ? names[i] : "";
            if (InheritedSockets.listens(descriptor)) {
                InheritedSockets.closeOnExec(descriptor);
                InheritedSockets.address(descriptor)
                        .flatMap(PassedSockets::url)
                        .ifPresent(url -> found.add(new Passed(name, descriptor, url)));
            }
        }
        return found;
    }

    private static int count(Map<String, String> environment) {
        String text = environment.getOrDefault("LISTEN_FDS", "");
        return text.matches("[0-9]{1,4}") ? Math.min(MOST, Integer.parseInt(text)) : 0;
    }

    private static Optional<ListenUrl> url(SocketAddress address) {
        return switch (address) {
            case InetSocketAddress network -> Optional.of(new ListenUrl.WebSocket(network));
            case UnixDomainSocketAddress local -> Optional.of(new ListenUrl.Unix(local.getPath()));
            default -> Optional.empty();
        };
    }
}
