package dev.execserver.server.mcp.shell;

import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.server.mcp.OpenCall;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Tells a client the new output of a command while it runs, at most ten times a second and in bounded pieces. The amount of progress is
 * the number of bytes. One thread.
 */
final class ProgressReport {
    static final int MAX_BYTES = 16 * 1024;

    private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    private final OpenCall call;
    private final byte[] waiting = new byte[MAX_BYTES];
    private final StreamJoiner joiner = new StreamJoiner(this::add);
    private int length;
    private long left;
    private long total;
    private long told;
    private long toldAt = System.nanoTime() - PAUSE_NANOS;

    ProgressReport(OpenCall call) {
        this.call = call;
    }

    void add(OutputChunk chunk) {
        if (call.wantsProgress()) {
            joiner.add(chunk);
        }
    }

    private void add(byte[] bytes, int offset, int count) {
        int taken = Math.min(count, waiting.length - length);
        System.arraycopy(bytes, offset, waiting, length, taken);
        length += taken;
        left += count - taken;
        total += count;
    }

    /** Tells what is waiting, if it is time. Returns the time after which to call again, in ms; -1 if nothing is waiting. */
    long tell() {
        if (total == told) {
            return -1;
        }
        long early = toldAt + PAUSE_NANOS - System.nanoTime();
        if (early > 0) {
            return early / 1_000_000 + 1;
        }
        int shown = left > 0 ? Utf8Boundary.completeLength(waiting, 0, length) : length;
        String text = new String(waiting, 0, shown, StandardCharsets.UTF_8);
        call.progress(total, left > 0 ? text + "\n[... " + left + " bytes omitted ...]\n" : text);
        told = total;
        toldAt = System.nanoTime();
        length = 0;
        left = 0;
        return -1;
    }
}
