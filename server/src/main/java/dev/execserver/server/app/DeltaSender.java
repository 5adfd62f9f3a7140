package dev.execserver.server.app;

import dev.execserver.protocol.app.CommandFamily;
import dev.execserver.protocol.app.CommandOutputDelta;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.outbound.PushSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Sends the output of one command as notifications. It holds one notification, and waits until the connection has
 * written it: so a client that reads slowly slows the command, and answers never wait behind output.
 *
 * <p>The command's thread sends; the thread that writes to the connection takes. {@code lock} guards the fields.
 */
final class DeltaSender implements CommandOutput, PushSource {

    /** Interval at which a sender looks if its connection is still there. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Outbound connection;
    private final CommandFamily family;
    private final String id;
    private final BooleanSupplier gone;
    private CommandOutputDelta waiting;
    private boolean unwritten;

    /** @param gone returns true if the connection has ended */
    DeltaSender(Outbound connection, CommandFamily family, String id, BooleanSupplier gone) {
        this.connection = connection;
        this.family = family;
        this.id = id;
        this.gone = gone;
    }

    @Override
    public void send(boolean stdout, byte[] bytes, boolean capReached) throws InterruptedException {
        lock.lock();
        try {
            waiting = new CommandOutputDelta(family, id, stdout, bytes, capReached);
            unwritten = true;
        } finally {
            lock.unlock();
        }
        connection.schedule(this);
        lock.lock();
        try {
            while (unwritten && !gone.getAsBoolean()) {
                long _ = changed.awaitNanos(LOOK_NANOS);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean encodeNext(MessageBuffer out) {
        CommandOutputDelta next;
        lock.lock();
        try {
            next = waiting;
            waiting = null;
        } finally {
            lock.unlock();
        }
        if (next == null) {
            return false;
        }
        next.encode(out, System.currentTimeMillis());
        return true;
    }

    @Override
    public void written() {
        lock.lock();
        try {
            if (waiting == null) { // else it was the write of an earlier one
                unwritten = false;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }
}
