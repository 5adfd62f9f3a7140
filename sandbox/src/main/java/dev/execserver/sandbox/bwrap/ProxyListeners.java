package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.network.InnerSockets;
import dev.execserver.sandbox.network.NamespaceSockets;
import java.util.List;

/**
 * The sockets of this server in the network of one command, through which it reaches its proxies. The thread that starts the command
 * opens and takes them; the thread that ends the run closes them. The lock guards the list.
 */
final class ProxyListeners implements AutoCloseable {
    private final NamespaceSockets sockets;
    private final InnerSockets wanted;
    private List<AsyncFd> open = List.of();

    ProxyListeners(NamespaceSockets sockets, InnerSockets wanted) {
        this.sockets = sockets;
        this.wanted = wanted;
    }

    boolean wanted() {
        return wanted.count() > 0;
    }

    /** @param pid the first process in the sandbox */
    void open(int pid) {
        List<AsyncFd> made = sockets.open(pid, wanted);
        synchronized (this) {
            open = made;
        }
    }

    /** Returns the error message for a sandbox whose sockets could not be made. */
    String failure(LinuxException e) {
        return "the proxies of the command cannot be reached from its network, so it was not started: "
                + e.getMessage();
    }

    synchronized List<AsyncFd> take() {
        List<AsyncFd> taken = open;
        open = List.of();
        return taken;
    }

    @Override
    public void close() {
        take().forEach(AsyncFd::close);
    }
}
