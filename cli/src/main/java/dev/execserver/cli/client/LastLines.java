package dev.execserver.cli.client;

import dev.execserver.client.session.Backlog;
import dev.execserver.client.session.ProcessObserver;
import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.ReadResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The last lines of an output, and the observer that goes on behind them.
 *
 * @param chunks from the begin of the first line on
 * @param ended true if nothing follows
 */
record LastLines(RemoteSight sight, List<OutputChunk> chunks, boolean ended) {
    private static final long FIRST_BYTES_A_LINE = 200;
    private static final int GROWTH = 8;

    /** Bytes after which what is before the last lines is removed while more is read. */
    private static final long CUT_BYTES = 4 * 1024 * 1024L;

    /** Looks at more and more of the end until there are enough lines, or until there is no more. */
    static LastLines of(RemoteHost host, FoundProcess found, long lines) throws InterruptedException {
        for (long bytes = lines * FIRST_BYTES_A_LINE; ; bytes *= GROWTH) {
            long end = observe(host, found, 0).next(Duration.ZERO).output().nextSeq();
            RemoteSight sight = observe(host, found, bytes);
            ProcessObserver.Sight seen = sight.next(Duration.ZERO);
            boolean whole = whole(seen) || bytes > Long.MAX_VALUE / GROWTH; // or no more can be asked for
            List<OutputChunk> chunks = new ArrayList<>(seen.output().chunks());
            boolean cut = false;
            long uncut = 0;
            while (!ends(seen, end)) {
                seen = sight.next(Duration.ZERO);
                chunks.addAll(seen.output().chunks());
                uncut += length(seen.output().chunks());
                if (uncut >= CUT_BYTES) {
                    cut |= cut(chunks, lines);
                    uncut = 0;
                }
            }
            cut |= cut(chunks, lines);
            if (cut || whole) {
                return new LastLines(sight, chunks, seen.output().closed());
            }
        }
    }

    private static RemoteSight observe(RemoteHost host, FoundProcess found, long lastBytes) {
        return host.observe(
                found.session().sessionId(),
                found.process().processId(),
                new Backlog(OptionalLong.of(lastBytes), OptionalLong.empty()));
    }

    /** Returns true if a first sight begins with the oldest output that is kept. */
    private static boolean whole(ProcessObserver.Sight first) {
        long dropped = first.output().dropped().map(ReadResult.Dropped::bytes).orElse(0L);
        return first.skippedBytes() <= dropped;
    }

    /** Returns true if the output was seen up to the end that it had. A program that writes fast would never be caught up with. */
    private static boolean ends(ProcessObserver.Sight seen, long end) {
        return seen.output().nextSeq() >= end
                || seen.output().closed()
                || seen.output().chunks().isEmpty();
    }

    private static long length(List<OutputChunk> chunks) {
        return chunks.stream().mapToLong(OutputChunk::length).sum();
    }

    /** Removes what is before the last lines. Returns false if there are not more lines than wanted. */
    private static boolean cut(List<OutputChunk> chunks, long lines) {
        long found = 0;
        boolean last = true; // the newline at the end ends the last line
        for (int i = chunks.size() - 1; i >= 0; i--) {
            OutputChunk chunk = chunks.get(i);
            for (int at = chunk.length() - 1; at >= 0; at--) {
                boolean newline = chunk.buffer()[chunk.offset() + at] == '\n';
                if (newline && !last && ++found == lines) {
                    chunks.subList(0, i).clear();
                    chunks.set(
                            0,
                            new OutputChunk(
                                    chunk.seq(),
                                    chunk.stream(),
                                    chunk.buffer(),
                                    chunk.offset() + at + 1,
                                    chunk.length() - at - 1));
                    return true;
                }
                last = false;
            }
        }
        if (lines == 0) {
            chunks.clear();
        }
        return lines == 0;
    }
}
