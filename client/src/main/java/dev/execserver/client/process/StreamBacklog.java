package dev.execserver.client.process;

import dev.execserver.protocol.process.OutputChunk;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Optional;

/** Output that waits for the reader of one stream. Not thread safe: guarded by the lock of {@link OutputStreams}. */
final class StreamBacklog {

    /** Limit of output that waits for its reader while the other stream is read; see {@link #cost}. */
    static final int MAX_BYTES = 64 << 20;

    /** A chunk, or the place of missing output. */
    private record Item(Optional<OutputChunk> chunk, Optional<ProcessEvent.Gap> gap) {}

    private static final int ITEM_BYTES = 64;

    private final ArrayDeque<Item> items = new ArrayDeque<>();
    private int consumedOfFirst;
    private int bytes;
    private boolean discarding;
    private boolean ended;
    private Optional<String> lost = Optional.empty();

    void add(OutputChunk chunk) {
        if (discarding || chunk.length() == 0) {
            return;
        }
        if (cost() + chunk.length() + ITEM_BYTES > MAX_BYTES) {
            discarding = true;
            end(Optional.of("more than %d bytes of it were not read while the other stream was".formatted(MAX_BYTES)));
        } else {
            items.add(new Item(Optional.of(chunk), Optional.empty()));
            bytes += chunk.length();
        }
    }

    void add(ProcessEvent.Gap gap) {
        if (!discarding) {
            items.add(new Item(Optional.empty(), Optional.of(gap)));
        }
    }

    /** @param reason reason why the output is incomplete; empty if it is complete */
    void end(Optional<String> reason) {
        if (!ended) {
            ended = true;
            lost = reason;
        }
    }

    void discard() {
        discarding = true;
        items.clear();
        bytes = 0;
        end(Optional.empty());
    }

    boolean isEmpty() {
        return items.isEmpty() && !ended;
    }

    int bytes() {
        return bytes;
    }

    /** Returns the approximate memory: many short pieces take more than their bytes. */
    long cost() {
        return bytes + (long) items.size() * ITEM_BYTES;
    }

    /** Reads as {@link java.io.InputStream#read(byte[], int, int)} does. Do not call it when empty. */
    int read(byte[] target, int offset, int length) throws IOException {
        if (items.isEmpty()) {
            if (lost.isPresent()) {
                throw new IOException("output ends before its end: " + lost.get());
            }
            return -1;
        }
        Item first = items.getFirst();
        if (first.gap().isPresent()) {
            items.removeFirst();
            throw new OutputGapException(first.gap().get());
        }
        OutputChunk chunk = first.chunk().orElseThrow();
        int count = Math.min(length, chunk.length() - consumedOfFirst);
        System.arraycopy(chunk.buffer(), chunk.offset() + consumedOfFirst, target, offset, count);
        consumedOfFirst += count;
        bytes -= count;
        if (consumedOfFirst == chunk.length()) {
            items.removeFirst();
            consumedOfFirst = 0;
        }
        return count;
    }
}
