package dev.execserver.cli.client;

import dev.execserver.client.session.Backlog;
import dev.execserver.client.session.ProcessObserver;
import dev.execserver.protocol.process.OutputChunk;
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

    /** Looks at more and more of the end until there are enough lines, or until there is no more. */
    static LastLines of(RemoteHost host, FoundProcess found, long lines) throws InterruptedException {
        for (long bytes = lines * FIRST_BYTES_A_LINE; ; bytes *= GROWTH) {
            RemoteSight sight = host.observe(
                    found.session().sessionId(),
                    found.process().processId(),
                    new Backlog(OptionalLong.of(bytes), OptionalLong.empty()));
            List<OutputChunk> chunks = new ArrayList<>();
            ProcessObserver.Sight seen = sight.next(Duration.ZERO);
            boolean whole = seen.skippedBytes() == 0 || seen.output().dropped().isPresent();
            while (!seen.output().chunks().isEmpty()) {
                chunks.addAll(seen.output().chunks());
                if (seen.output().closed()) {
                    break;
                }
                seen = sight.next(Duration.ZERO);
            }
            boolean cut = cut(chunks, lines);
            if (cut || whole) {
                return new LastLines(sight, chunks, seen.output().closed());
            }
        }
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
