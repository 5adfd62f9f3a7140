package dev.execserver.server.transport.sandboxd;

import dev.execserver.server.transport.auth.Subject;
import dev.execserver.server.transport.exec.CommandAccess;
import dev.execserver.server.transport.grpc.GrpcCode;
import dev.execserver.server.transport.grpc.GrpcException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The commands that run, by the number that their clients know. It is not the number of a process of the machine. Any thread; the lock of
 * an entry keeps its input in order.
 */
final class RunningCommands {

    /** Limit of commands that run at once, by both calls. */
    static final int MAX_COMMANDS = 1024;

    private final Map<Integer, Entry> byNumber = new ConcurrentHashMap<>();
    private final AtomicInteger last = new AtomicInteger();
    private final Semaphore places = new Semaphore(MAX_COMMANDS);

    /** @param input held while input is written */
    record Entry(CommandAccess.Running command, Optional<Subject> owner, Lock input) {}

    /** A place for a command, to be given back. */
    @FunctionalInterface
    interface Place extends AutoCloseable {
        @Override
        void close();
    }

    Place take() {
        if (!places.tryAcquire()) {
            throw new GrpcException(
                    GrpcCode.RESOURCE_EXHAUSTED, "at most " + MAX_COMMANDS + " commands run at once; try again later");
        }
        return places::release;
    }

    /** Returns the new number of a command. */
    int add(CommandAccess.Running command, Optional<Subject> owner) {
        Entry entry = new Entry(command, owner, new ReentrantLock());
        while (true) {
            int number = last.updateAndGet(used -> used == Integer.MAX_VALUE ? 1 : used + 1);
            if (byNumber.putIfAbsent(number, entry) == null) {
                return number;
            }
        }
    }

    void remove(int number) {
        byNumber.remove(number);
    }

    /** Finds a command of the owner. Those of others are not found, so that nobody learns of them. */
    Entry require(int number, Optional<Subject> owner) {
        Entry found = byNumber.get(number);
        if (found == null || !found.owner().equals(owner)) {
            throw new GrpcException(GrpcCode.NOT_FOUND, "process " + number + " does not run");
        }
        return found;
    }
}
