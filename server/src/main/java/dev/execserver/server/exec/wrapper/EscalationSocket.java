package dev.execserver.server.exec.wrapper;

import dev.execserver.sandbox.intercept.ExecPolicy;
import dev.execserver.sandbox.intercept.WrapperTask;
import dev.execserver.sandbox.io.ClosedException;
import dev.execserver.sandbox.io.PassingSocket;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.SocketCalls;
import dev.execserver.sandbox.linux.SocketCalls.SocketPair;
import dev.execserver.sandbox.linux.SocketPeers;
import dev.execserver.server.concurrent.Threads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Datagram socket over which the wrappers of one command introduce themselves. All its processes inherit the other end, so what
 * comes is believed as far as the kernel says it: see {@link WrapperTask}. It lives as long as a process has the other end.
 *
 * <p>The start of the command uses it first, then a virtual thread reads. The set has the connections.
 */
public final class EscalationSocket implements AutoCloseable {
    /** Variable with the number of the socket. */
    static final String SOCKET_VARIABLE = "CODEX_ESCALATE_SOCKET";

    /** Variables by which a patched shell finds the wrapper. */
    static final String WRAPPER_VARIABLE = "BASH_EXEC_WRAPPER";

    /** Number of the socket in the command: the first behind the standard streams. */
    static final int NUMBER = 3;

    /** Programs of one command that are being decided or run outside. */
    static final int MAX_CONNECTIONS = 256;

    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Logger LOG = LoggerFactory.getLogger(EscalationSocket.class);

    private final WrapperServices services;
    private final Path wrapper;
    private final Fd theirs;
    private final long inode;
    private final PassingSocket ours;
    private final Set<WrapperConnection> connections = ConcurrentHashMap.newKeySet();
    private volatile Optional<ExecPolicy> policy = Optional.empty();

    private EscalationSocket(WrapperServices services, Path wrapper, SocketPair pair) {
        this.services = services;
        this.wrapper = wrapper;
        this.theirs = pair.theirs();
        this.inode = WrapperTask.inode(theirs).orElseThrow();
        SocketPeers.askForSenders(pair.ours().number());
        FileCalls.makeNonBlocking(pair.ours().number());
        this.ours = new PassingSocket(services.poller(), pair.ours());
    }

    /**
     * Opens the socket for a start.
     *
     * @param wrapper program that the shell runs
     */
    public static EscalationSocket open(WrapperServices services, Path wrapper) {
        SocketPair pair = SocketCalls.datagramPair();
        EscalationSocket made = null;
        try {
            made = new EscalationSocket(services, wrapper, pair);
        } finally {
            if (made == null) {
                pair.close();
            }
        }
        EscalationSocket socket = made;
        services.opened(socket);
        Threads.virtual("exec-wrapper", socket::serve);
        return socket;
    }

    /** Returns the variables that the command needs. */
    public Map<String, String> variables() {
        return Map.of(SOCKET_VARIABLE, Integer.toString(NUMBER), WRAPPER_VARIABLE, wrapper.toString());
    }

    /** Returns the descriptor that the command must inherit as the first. */
    public List<Fd> inherited() {
        return List.of(theirs);
    }

    /** Sets what decides, before the command runs. */
    public void decidedBy(ExecPolicy decisions) {
        policy = Optional.of(decisions);
    }

    /** Closes the command's end here, because the command has it or will not run. */
    public void started() {
        theirs.close();
    }

    private void serve() {
        try {
            boolean wanted = true;
            while (wanted) {
                boolean something = ours.awaitReadable(LOOK.toNanos());
                while (take()) {
                    something = true;
                }
                wanted = something || ours.otherExists();
            }
        } catch (ClosedException e) {
            LOG.debug("the socket of wrappers was closed", e);
        } catch (LinuxException e) {
            LOG.warn("wrappers are not served any more", e);
        } finally {
            services.ended(this);
            close();
        }
    }

    /** Takes the next message. Returns false if there is none. */
    private boolean take() {
        PassingSocket.Received received = ours.tryReceive(PassingSocket.MAX_BYTES);
        if (received.count() < 0) {
            return false;
        }
        Fd stream =
                received.descriptors().isEmpty() ? null : received.descriptors().getFirst();
        if (received.descriptors().size() != 1
                || !SocketPeers.unixStream(stream.number())
                || received.sender().isEmpty()
                || policy.isEmpty()
                || connections.size() >= MAX_CONNECTIONS) {
            LOG.warn(
                    "a message of a wrapper is not answered: it has {} descriptors",
                    received.descriptors().size());
            received.descriptors().forEach(Fd::close);
            return true;
        }
        accept(stream, received.sender().getAsInt(), policy.get());
        return true;
    }

    private void accept(Fd stream, int sender, ExecPolicy decisions) {
        WrapperTask task;
        try {
            task = WrapperTask.of(stream, sender);
            FileCalls.makeNonBlocking(stream.number());
        } catch (LinuxException e) {
            LOG.warn("a wrapper is not served", e);
            stream.close();
            return;
        }
        WrapperConnection connection =
                new WrapperConnection(services, task, new PassingSocket(services.poller(), stream), inode, decisions);
        connections.add(connection);
        Threads.virtual("exec-wrapper-" + sender, () -> {
            try {
                connection.serve();
            } finally {
                connections.remove(connection);
            }
        });
    }

    /** Ends what runs outside for the command, and answers nothing any more. */
    @Override
    public void close() {
        theirs.close();
        ours.close();
        connections.forEach(WrapperConnection::close);
    }
}
