package dev.execserver.sandbox.ledger;

import dev.execserver.sandbox.linux.DescriptorPassing;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.SocketCalls;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Open files that stay open after this server was killed, until its guardian lets them go. Copies of their descriptors lie in a
 * Unix socket that nobody reads (SCM_RIGHTS of unix(7)), and the guardian has the end in which they lie. So a lock of flock(2) on such a
 * file lasts as long as the commands that the guardian has to kill: without that, another server would take a placeholder
 * away from them.
 *
 * <p>A lock ends by LOCK_UN on the server's own descriptor, since all copies share it. Copies that are not needed any more are
 * dropped as soon as none is needed, so that an idle server keeps no file system from being unmounted, and else when
 * {@value #MAX_MESSAGES} messages lie there: those still needed are sent again first, so each is there at every moment. Any
 * thread may call; the lock guards the set and the socket.
 */
public final class KeptFiles implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(KeptFiles.class.getName());

    /** A socket of the default size has room for more than twice as many messages. */
    static final int MAX_MESSAGES = 100;

    /** Lowest descriptor number of the socket; a child may need the smaller ones for itself. */
    private static final int LOWEST_NUMBER = 16;

    private final ReentrantLock lock = new ReentrantLock();
    private final Fd sending;
    private final Fd lying;
    private final Set<Kept> kept = new LinkedHashSet<>();
    private int messages;

    private KeptFiles(Fd sending, Fd lying) {
        this.sending = sending;
        this.lying = lying;
    }

    static KeptFiles create() {
        try (SocketCalls.SocketPair pair = SocketCalls.streamPair()) {
            Fd sending = FileCalls.duplicate(pair.ours().number(), LOWEST_NUMBER);
            try {
                return new KeptFiles(sending, FileCalls.duplicate(pair.theirs().number(), LOWEST_NUMBER));
            } catch (LinuxException e) {
                sending.close();
                throw e;
            }
        }
    }

    /** One file, until it is closed. Close it before the descriptor. */
    public final class Kept implements AutoCloseable {
        private final Fd fd;

        private Kept(Fd fd) {
            this.fd = fd;
        }

        /** Forgets the file. Its copy is dropped with the last one that is needed, or later. */
        @Override
        public void close() {
            lock.lock();
            try {
                if (kept.remove(this) && kept.isEmpty()) {
                    drop(messages);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** Keeps the open file of a descriptor. Where the kernel takes no more descriptors, a warning says so, and it is not kept. */
    public Kept keep(Fd fd) {
        Kept added = new Kept(fd);
        lock.lock();
        try {
            kept.add(added);
            if (messages >= MAX_MESSAGES) {
                sendAgain();
            } else {
                send(List.of(added));
            }
        } catch (LinuxException e) {
            kept.remove(added); // else it would count as needed
            LOG.log(
                    System.Logger.Level.WARNING,
                    "if this server is killed, another one may take a placeholder away from running commands: {0}",
                    e.getMessage());
        } finally {
            lock.unlock();
        }
        return added;
    }

    /** Sends all that are needed, and drops the old messages. If sending fails, the old ones stay, and the new ones too. */
    private void sendAgain() {
        int old = messages;
        List<Kept> needed = new ArrayList<>(kept);
        for (int at = 0; at < needed.size(); at += DescriptorPassing.MAX_DESCRIPTORS) {
            send(needed.subList(at, Math.min(at + DescriptorPassing.MAX_DESCRIPTORS, needed.size())));
        }
        drop(old);
    }

    private void drop(int oldest) {
        for (int i = 0; i < oldest; i++) {
            DescriptorPassing.drop(lying.number());
            messages--;
        }
    }

    private void send(List<Kept> some) {
        DescriptorPassing.leave(
                sending.number(), some.stream().map(each -> each.fd).toList());
        messages++;
    }

    /** Returns the socket in which they lie, for the guardian. */
    public Fd socket() {
        return lying;
    }

    /** Returns the number of messages in the socket, for tests. */
    int messages() {
        lock.lock();
        try {
            return messages;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        sending.close();
        lying.close();
    }
}
