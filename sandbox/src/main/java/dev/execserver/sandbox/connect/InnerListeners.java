package dev.execserver.sandbox.connect;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.ClosedException;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.LocalSockets;
import dev.execserver.sandbox.linux.ProcStatus;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds the servers that a command runs in its own network: by a question to the kernel for one socket, see sock_diag(7), or where that is
 * not possible in the whole table, see proc_net_tcp of proc(5). Platform threads; one asks at a time.
 */
public final class InnerListeners implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(InnerListeners.class.getName());

    private static final String LISTENING = "0A";
    /** Line of sockstat6 where no socket of IPv6 is in use. */
    private static final String NO_SIX = "TCP6: inuse 0\n";

    private Optional<AsyncFd> questions = Optional.empty();

    /**
     * Asks by this socket of the command's network from now on, if it finds the listening socket of this server there. Without an answer
     * for it, which is also how a kernel without such questions about TCP answers, the table is read.
     *
     * @param netlink closed with this
     */
    public synchronized void askBy(AsyncFd netlink, int innerPort) {
        questions.ifPresent(AsyncFd::close);
        questions = Optional.of(netlink);
        InetSocketAddress own = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), innerPort);
        if (asked(own).filter(found -> found).isEmpty()) {
            close();
        }
    }

    /** Returns true if a connection of the task to this address of its loopback interface finds a listening socket. */
    boolean any(int tid, InetSocketAddress address) {
        Optional<Boolean> answer;
        synchronized (this) {
            answer = asked(address);
        }
        return answer.orElseGet(() -> inTable(tid, address.getPort()));
    }

    private Optional<Boolean> asked(InetSocketAddress address) {
        try {
            return questions.map(netlink -> netlink.use(fd -> LocalSockets.listening(fd, address)));
        } catch (LinuxException e) {
            LOG.log(System.Logger.Level.WARNING, "the sockets of a command cannot be asked for, its table is read", e);
            close();
            return Optional.empty();
        } catch (ClosedException e) {
            return Optional.empty();
        }
    }

    private static boolean inTable(int tid, int port) {
        String end = String.format(Locale.ROOT, ":%04X", port);
        // Each table costs the kernel milliseconds, because it looks through those of all networks.
        return listens(tid, "tcp", end) || !table(tid, "sockstat6").contains(NO_SIX) && listens(tid, "tcp6", end);
    }

    private static boolean listens(int tid, String name, String end) {
        return table(tid, name)
                .lines()
                .skip(1)
                .map(line -> line.strip().split("\\s+", 5))
                .anyMatch(words -> words.length > 4 && words[1].endsWith(end) && words[3].equals(LISTENING));
    }

    private static String table(int tid, String name) {
        return ProcStatus.whole("/proc/" + tid + "/net/" + name);
    }

    /** From now on the table is read. */
    @Override
    public synchronized void close() {
        questions.ifPresent(AsyncFd::close);
        questions = Optional.empty();
    }
}
