package dev.execserver.server.files;

import dev.execserver.helper.fs.FileErrors;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.InotifyCalls;
import dev.execserver.sandbox.linux.InotifyCalls.Event;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.memory.MemoryBudget;
import dev.execserver.server.rpc.ConnectionState;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * All file watches of the server in one inotify instance, because a user may have only few. It is created with the
 * first watch. One virtual thread reads it and parks until the poller wakes it.
 *
 * <p>The kernel gives the same watch descriptor to all watches of one file. So a descriptor may be removed only when no
 * watch uses it and none is being added. {@code lock} guards the table of descriptors; adding a watch may wait for a
 * file system and is done without the lock.
 */
public final class FileWatcher implements AutoCloseable {

    /**
     * Largest number of watched files and directories of all clients. The kernel keeps each in memory and may allow
     * fewer.
     */
    static final int MAX_WATCHES = 65_536;

    static final String TOO_MANY = "tooManyWatches";

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Integer, List<Watch>> watches = new ConcurrentHashMap<>();
    /** Descriptors whose last watch was closed while other watches were being added. */
    private final Set<Integer> unused = new HashSet<>();

    /** Bytes that a watch takes besides its names: objects and table entries. */
    private static final long WATCH_BYTES = 512;

    private final Poller poller;
    private final WatchRoom room;
    private int adding;
    private Instance instance;
    private boolean closed;

    /** @param memory memory share for watches and for changes that wait for their client */
    public FileWatcher(Poller poller, MemoryBudget memory) {
        this(poller, new WatchRoom((int) Math.min(MAX_WATCHES, ProcFiles.maxUserWatches()), memory));
    }

    FileWatcher(Poller poller, WatchRoom room) {
        this.poller = poller;
        this.room = room;
    }

    public MemoryBudget memory() {
        return room.memory();
    }

    /** Makes the watching client of one connection. */
    public Client client() {
        return new Client();
    }

    /** One connection, with its part of the allowed watches. */
    public final class Client implements ConnectionState {
        private final WatchRoom.Part part = new WatchRoom.Part();

        private Client() {}

        /**
         * Watches a file. May wait for its file system, so call it on a file worker.
         *
         * @param target may be O_PATH; can be closed afterwards
         * @param names bytes of the names that are kept with the watch
         * @throws RpcException -32603 with {@code data.reason = "tooManyWatches"} if the kernel or the server allows no
         * more
         */
        Watch watch(Fd target, int mask, int names, Listener listener) {
            long bytes = WATCH_BYTES + names;
            room.take(part, bytes);
            try {
                return add(target, mask, listener, () -> room.release(part, bytes));
            } catch (RpcException e) {
                room.release(part, bytes);
                throw e;
            }
        }

        /** Does nothing, because the owners of the watches end them. */
        @Override
        public void connectionEnded() {}
    }

    /** Receives events on the watcher's thread. Must not wait. */
    @FunctionalInterface
    interface Listener {
        /**
         * Called for each event.
         *
         * @param mask bits of {@link InotifyCalls}; IN_Q_OVERFLOW if events were lost
         * @param name name of the entry in a watched directory; empty for the watched file itself
         */
        void changed(int mask, byte[] name);
    }

    /** A watch. Ends when it is closed, or when its file is gone. */
    final class Watch implements AutoCloseable {
        private final int number;
        private final int mask;
        private final Listener listener;
        private final Runnable uncounting;
        private final AtomicBoolean counted = new AtomicBoolean(true);

        private Watch(int number, int mask, Listener listener, Runnable uncounting) {
            this.number = number;
            this.uncounting = uncounting;
            this.mask = mask;
            this.listener = listener;
        }

        private void deliver(Event event) {
            int always = InotifyCalls.IN_UNMOUNT | InotifyCalls.IN_Q_OVERFLOW;
            if ((event.mask() & (mask | always)) != 0) {
                listener.changed(event.mask(), event.name());
            }
        }

        /** Ends the watch. Never waits. */
        @Override
        public void close() {
            release(this);
            uncount();
        }

        /** Takes the watch out of the count once: it may end here or in the kernel. */
        private void uncount() {
            if (counted.compareAndSet(true, false)) {
                uncounting.run();
            }
        }
    }

    /** The inotify instance and the thread that reads it. */
    private record Instance(Fd fd, AsyncFd async, Thread reader) {}

    private Watch add(Fd target, int mask, Listener listener, Runnable uncounting) {
        Instance current = begin();
        try {
            int number = InotifyCalls.add(current.fd(), target, mask);
            Watch watch = new Watch(number, mask, listener, uncounting);
            watches.computeIfAbsent(number, key -> new CopyOnWriteArrayList<>()).add(watch);
            return watch;
        } catch (LinuxException e) {
            throw tooMany(e);
        } finally {
            end();
        }
    }

    private static RpcException tooMany(LinuxException e) {
        return e.errno() == Errno.ENOSPC || e.errno() == Errno.EMFILE
                ? RpcException.internal("the kernel gives this user no more file watches; see"
                                + " /proc/sys/fs/inotify/max_user_watches and max_user_instances")
                        .withData("reason", TOO_MANY)
                : FileErrors.of(e);
    }

    private Instance begin() {
        lock.lock();
        try {
            if (closed) {
                throw RpcException.internal("the server is ending").withData("reason", "shuttingDown");
            }
            if (instance == null) {
                instance = start();
            }
            adding++;
            return instance;
        } catch (LinuxException e) {
            throw tooMany(e);
        } finally {
            lock.unlock();
        }
    }

    private Instance start() {
        Fd fd = InotifyCalls.create();
        AsyncFd async = AsyncFd.pipe(poller, fd);
        return new Instance(fd, async, Threads.virtual("file-watcher", () -> readAll(fd, async)));
    }

    private void end() {
        lock.lock();
        try {
            adding--;
            if (adding == 0) {
                unused.forEach(this::giveBack);
                unused.clear();
            }
        } finally {
            lock.unlock();
        }
    }

    private void release(Watch watch) {
        lock.lock();
        try {
            List<Watch> same = watches.get(watch.number);
            if (same == null || !same.remove(watch) || !same.isEmpty()) {
                return;
            }
            if (adding == 0) {
                giveBack(watch.number);
            } else {
                unused.add(watch.number);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Removes a watch descriptor that has no watch. The lock is held, and no watch is being added. */
    private void giveBack(int number) {
        List<Watch> same = watches.get(number);
        if (same != null && same.isEmpty()) {
            watches.remove(number);
            if (!closed) {
                InotifyCalls.remove(instance.fd(), number);
            }
        }
    }

    /** Body of the watcher's thread. Only this thread closes the descriptor. */
    private void readAll(Fd fd, AsyncFd async) {
        try (async) {
            while (!ending()) {
                List<Event> events = InotifyCalls.read(fd);
                events.forEach(this::deliver);
                if (events.isEmpty()) {
                    async.awaitReadable();
                }
            }
        }
    }

    private boolean ending() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    private void deliver(Event event) {
        if ((event.mask() & InotifyCalls.IN_Q_OVERFLOW) != 0) {
            watches.values().forEach(same -> same.forEach(watch -> watch.deliver(event)));
        } else if ((event.mask() & InotifyCalls.IN_IGNORED) != 0) {
            forgetIgnored(event.watch());
        } else {
            watches.getOrDefault(event.watch(), List.of()).forEach(watch -> watch.deliver(event));
        }
    }

    /**
     * Removes the watches of a descriptor that the kernel has ended. The kernel reuses numbers only after two thousand
     * million others.
     */
    private void forgetIgnored(int number) {
        lock.lock();
        try {
            List<Watch> ended = watches.remove(number);
            if (ended != null) {
                ended.forEach(Watch::uncount);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends all watches. Must be called before the poller is closed. */
    @Override
    public void close() {
        Instance last;
        lock.lock();
        try {
            closed = true;
            last = instance;
        } finally {
            lock.unlock();
        }
        if (last != null) {
            last.async().wake();
            try {
                last.reader().join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
