package dev.execserver.server.process.output;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.FileWorkers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the oldest output of one process from memory to its {@link SpillFile} and back.
 *
 * <p>Part of {@link OutputLog} and under its lock: callers hold the lock where a method says so. {@link #moveOut} runs
 * on a file worker and takes the lock only to pick a batch and to record it. At most one batch is moved at a time.
 */
final class Spill {

    /** Bytes of one batch: large enough that the switch to a file worker costs little in comparison. */
    static final int BATCH_BYTES = 512 * 1024;

    /** Time between two looks at the free space while there is too little. */
    private static final long SPACE_LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final Logger LOG = LoggerFactory.getLogger(Spill.class);

    private final OutputLog log;
    private final ReentrantLock lock;
    private final OutputBounds retention;
    private final EntryRing entries;
    private final FileWorkers workers;
    private SpillFile file;
    private long firstInMemory = 1;
    private boolean moving;
    private boolean broken;
    private boolean lowSpace;
    private long lastSpaceLook;
    private boolean closed;
    private boolean ended;

    Spill(OutputLog log, ReentrantLock lock, OutputBounds retention, EntryRing entries, FileWorkers workers) {
        this.log = log;
        this.lock = lock;
        this.retention = retention;
        this.entries = entries;
        this.workers = workers;
    }

    /** Returns the bytes that are still in memory. The lock is held. */
    long memoryBytes() {
        return entries.totalBytes() - entries.startOf(Math.max(firstInMemory, entries.firstSeq()));
    }

    /** Returns true if this entry's bytes count as memory. The lock is held. */
    boolean inMemory(long seq) {
        return seq >= firstInMemory;
    }

    /**
     * Returns the memory window. It is small for a process that has closed, because many of them may wait to be
     * forgotten.
     */
    private long window() {
        return ended ? Math.min(OutputBounds.MIN_MEMORY_BYTES, retention.memoryWindow()) : retention.memoryWindow();
    }

    private long slack() {
        return ended ? 0 : retention.slackBytes();
    }

    /** Called when the last byte was appended. The lock is held. */
    void ended() {
        ended = true;
        startIfNeeded();
    }

    /** Returns true if the file lags behind by more bytes than may wait in memory. The lock is held. */
    boolean behind() {
        return !broken() && memoryBytes() >= retention.memoryWindow() + retention.behindBytes();
    }

    /** Returns true if output stays in memory: the file could not be written, or there is no space now. The lock is held. */
    boolean broken() {
        return broken || lowSpace;
    }

    /** Returns true while the file waits for space, whose coming nobody tells. The lock is held. */
    boolean awaitsSpace() {
        return lowSpace && !broken;
    }

    /** Starts to move a batch, unless one is being moved or there is nothing to move. The lock is held. */
    void startIfNeeded() {
        if (moving || broken || closed || memoryBytes() <= window() + slack() || tooFast() || spaceSeen()) {
            return;
        }
        moving = true;
        try {
            workers.submit(this::moveOut);
        } catch (RpcException busy) {
            moving = false; // a pump that is held asks again
        }
    }

    /** Returns true if no client is attached and the rate of moves is used up. A pump that is held asks again. */
    private boolean tooFast() {
        return !ended && log.unattended() && !retention.budget().mayMoveUnattended(BATCH_BYTES);
    }

    /** Returns true if there was too little space just before. A pump that is held asks again. */
    private boolean spaceSeen() {
        return lowSpace && System.nanoTime() - lastSpaceLook < SPACE_LOOK_NANOS;
    }

    private void moveOut() {
        try {
            if (!spaceLeft()) {
                closeWhenFreed();
                return;
            }
            for (List<Move> batch = pick(true); !batch.isEmpty(); batch = pick(false)) {
                for (Move move : batch) {
                    file.write(move.position(), move.bytes());
                }
                book(batch);
                if (!spaceLeft()) {
                    break;
                }
            }
        } catch (IOException e) {
            giveUp(e);
        }
        closeWhenFreed();
    }

    /** Looks for space before a move. Each batch may take space that was free, or overwrite what was delivered. */
    private boolean spaceLeft() {
        boolean enough = retention.space().has(BATCH_BYTES);
        lock.lock();
        try {
            boolean changed = lowSpace == enough;
            lowSpace = !enough;
            lastSpaceLook = System.nanoTime();
            if (!enough) {
                moving = false;
            }
            if (changed && !enough) {
                LOG.warn(
                        "less than {} bytes are free in {} (--spill-free-bytes); output waits in memory and then in its program",
                        retention.space().reserved(),
                        retention.spillDirectory());
            }
            if (changed) {
                log.spillProgressed();
            }
            return enough;
        } finally {
            lock.unlock();
        }
    }

    private void closeWhenFreed() {
        lock.lock();
        try {
            if (closed && !moving && file != null) {
                closeQuietly(file);
            }
        } finally {
            lock.unlock();
        }
    }

    /** @param allowed true if the rate of moves was already checked for this batch */
    private List<Move> pick(boolean allowed) throws IOException {
        if (file == null) {
            file = SpillFile.create(
                    retention.spillDirectory(), retention.totalBytes() + OutputBounds.overshootBytes() + BATCH_BYTES);
        }
        lock.lock();
        try {
            List<Move> batch = new ArrayList<>();
            long excess = closed || (!allowed && tooFast()) ? 0 : memoryBytes() - window();
            long picked = 0;
            for (long seq = Math.max(firstInMemory, entries.firstSeq());
                    picked < Math.min(excess, BATCH_BYTES) && seq < entries.nextSeq();
                    seq++) {
                byte[] bytes = entries.dataOf(seq);
                long position = file.reserve(bytes.length);
                if (position < 0) {
                    break;
                }
                batch.add(new Move(seq, position, bytes));
                picked += bytes.length;
            }
            moving = !batch.isEmpty();
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private void book(List<Move> batch) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            long moved = 0;
            for (Move move : batch) {
                if (entries.contains(move.seq())) {
                    entries.markSpilled(move.seq(), move.position());
                    moved += move.bytes().length;
                }
            }
            firstInMemory = batch.getLast().seq() + 1;
            retention.budget().add(-moved, 0);
            log.spillProgressed();
        } finally {
            lock.unlock();
        }
    }

    private void giveUp(IOException e) {
        lock.lock();
        try {
            moving = false;
            if (closed) {
                return;
            }
            broken = true;
            LOG.warn(
                    "cannot write to a spill file in {}: {}; the process keeps its output in memory only",
                    retention.spillDirectory(),
                    e.toString());
            log.spillProgressed();
        } finally {
            lock.unlock();
        }
    }

    /** Called when the first entry was removed. The lock is held. */
    void dropped() {
        if (file == null) {
            return;
        }
        if (entries.size() > 0 && entries.firstSeq() < firstInMemory) {
            long position = entries.spillPositionOf(entries.firstSeq());
            if (position >= 0) {
                file.release(position);
            }
        } else if (!moving) {
            file.releaseAll();
        }
    }

    /** Returns one event like {@link #load(List)}. */
    OutputEvent load(long seq) {
        return load(List.of(seq)).getFirst();
    }

    /**
     * Returns events with their bytes, from memory or from the file. Reads all bytes from the file in one task of a
     * file worker. The caller has pinned the events and does not hold the lock.
     */
    List<OutputEvent> load(List<Long> numbers) {
        List<Place> places;
        lock.lock();
        try {
            places = places(numbers);
        } finally {
            lock.unlock();
        }
        return loadPlaces(places);
    }

    /** Finds out where the bytes of these events are. The lock is held. */
    List<Place> places(List<Long> numbers) {
        List<Place> places = new ArrayList<>(numbers.size());
        for (long seq : numbers) {
            places.add(new Place(
                    seq,
                    entries.kindOf(seq),
                    entries.dataOf(seq),
                    entries.spillPositionOf(seq),
                    entries.lengthOf(seq)));
        }
        return places;
    }

    /** Returns the number of the oldest event whose bytes are in memory. The lock is held. */
    long firstInMemory() {
        return Math.max(firstInMemory, entries.firstSeq());
    }

    /** Returns the events with their bytes, as {@link #load(List)} does. */
    List<OutputEvent> loadPlaces(List<Place> places) {
        boolean inFile = places.stream().anyMatch(place -> place.bytes() == null);
        return inFile ? workers.call(() -> events(places)) : events(places);
    }

    private List<OutputEvent> events(List<Place> places) {
        List<OutputEvent> events = new ArrayList<>(places.size());
        for (Place place : places) {
            byte[] bytes = place.bytes() == null ? read(place.position(), place.length()) : place.bytes();
            events.add(new OutputEvent(place.seq(), place.kind(), bytes));
        }
        return events;
    }

    private byte[] read(long position, int length) {
        try {
            return file.read(position, length);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read retained output back from its spill file", e);
        }
    }

    /** Closes the file. The lock is held. */
    void close() {
        closed = true;
        SpillFile gone = file;
        if (gone == null || moving) {
            return; // the batch ends in moveOut, which finds the log closed
        }
        closeOnWorker(gone);
    }

    private void closeOnWorker(SpillFile gone) {
        try {
            workers.submit(() -> closeQuietly(gone));
        } catch (RpcException busy) {
            closeQuietly(gone); // close(2) of an unlinked file has no data to write out
        }
    }

    private static void closeQuietly(SpillFile gone) {
        try {
            gone.close();
        } catch (IOException e) {
            LOG.debug("closing a spill file: {}", e.toString());
        }
    }

    /**
     * Location of an event's bytes.
     *
     * @param bytes null if they are in the file
     */
    record Place(long seq, EventKind kind, byte[] bytes, long position, int length) {}

    /** One event that is being moved to the file. */
    private record Move(long seq, long position, byte[] bytes) {}
}
