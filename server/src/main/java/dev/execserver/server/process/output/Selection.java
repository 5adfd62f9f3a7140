package dev.execserver.server.process.output;

import dev.execserver.protocol.process.ReadResult;
import dev.execserver.server.memory.AnswerMemory;
import java.util.ArrayList;
import java.util.List;

/**
 * The chunks that the answer of one read holds.
 *
 * @param numbers their sequence numbers, ascending
 * @param bytes the bytes of their output
 * @param cut true if more chunks would have followed
 */
record Selection(List<Long> numbers, long bytes, boolean cut) {

    /** Bytes of memory that an event takes between the log and the message, besides its output. */
    private static final long EVENT_BYTES = 160;

    /** An answer to a read without its own limit is cut so that this many fit into the memory for answers. */
    private static final int ANSWERS_AT_ONCE = 2;

    /** Size of an answer in bytes while the memory for answers is short. */
    private static final long SHORT_BYTES = 1024 * 1024L;

    /** Bytes for the id of the request, unless it is long. */
    private static final long ENVELOPE_BYTES = 512;

    /** Selects up to {@code maxBytes} after {@code afterSeq}, but at least one chunk if there is any. */
    static Selection of(EntryRing entries, long afterSeq, long maxBytes) {
        return of(entries, afterSeq, maxBytes, Integer.MAX_VALUE);
    }

    /** Selects like {@link #of(EntryRing, long, long)}, but at most so many chunks. */
    static Selection of(EntryRing entries, long afterSeq, long maxBytes, int maxChunks) {
        List<Long> numbers = new ArrayList<>();
        long bytes = 0;
        long after = Math.min(afterSeq, entries.nextSeq()); // the largest cursor has no successor
        for (long seq = Math.max(after + 1, entries.firstSeq()); seq < entries.nextSeq(); seq++) {
            if (!entries.kindOf(seq).output()) {
                continue;
            }
            int length = entries.lengthOf(seq);
            if (!numbers.isEmpty() && (bytes + length > maxBytes || numbers.size() >= maxChunks)) {
                return new Selection(numbers, bytes, true);
            }
            numbers.add(seq);
            bytes += length;
        }
        return new Selection(numbers, bytes, false);
    }

    /**
     * Selects like {@link #of(EntryRing, long, long)}, but at most {@link OutputLog#MAX_READ_BYTES}, also if {@code maxBytes} is negative; and less if memory is short. If there is none, selects one chunk, for whose memory the
     * caller must wait.
     */
    static Selection affordable(EntryRing entries, long afterSeq, long maxBytes, AnswerMemory memory) {
        long limit = maxBytes < 0 ? OutputLog.MAX_READ_BYTES : Math.min(maxBytes, OutputLog.MAX_READ_BYTES);
        long fair = memory.maxBytes() / ANSWERS_AT_ONCE / 3; // an answer takes two and a third times its bytes
        Selection whole = of(entries, afterSeq, Math.min(limit, fair));
        if (memory.tryTakeAhead(whole.memoryBytes())) {
            return whole;
        }
        Selection smaller = of(entries, afterSeq, Math.min(limit, SHORT_BYTES));
        if (memory.tryTakeAhead(smaller.memoryBytes())) {
            return smaller;
        }
        return of(entries, afterSeq, 0);
    }

    /** Returns the bytes of memory that the answer takes from the first loaded byte to the last sent one. */
    long memoryBytes() {
        return loadedBytes() + ReadResult.encodedBytes(numbers.size(), bytes) + ENVELOPE_BYTES;
    }

    /** Returns the bytes of memory that the chunks take before they are encoded. */
    long loadedBytes() {
        return bytes + numbers.size() * EVENT_BYTES;
    }
}
