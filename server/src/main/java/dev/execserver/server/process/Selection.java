package dev.execserver.server.process;

import dev.execserver.protocol.process.ReadResult;
import dev.execserver.server.memory.AnswerMemory;
import java.util.ArrayList;
import java.util.List;

/**
 * The chunks that one read is answered with.
 *
 * @param numbers their sequence numbers, ascending
 * @param bytes what they hold
 * @param cut true when there would have been more
 */
record Selection(List<Long> numbers, long bytes, boolean cut) {

    /** What an event takes in memory between the log and the message, beside its bytes. */
    private static final long EVENT_BYTES = 160;

    /** An answer that is wanted whole is cut so that this many of them fit into the memory for answers. */
    private static final int ANSWERS_AT_ONCE = 2;

    /** What a read is content with while the memory for answers is short. */
    private static final long SHORT_BYTES = 1024 * 1024L;

    /** Room for the id of the request, unless that is long. */
    private static final long ENVELOPE_BYTES = 512;

    /** As much after {@code afterSeq} as is wanted, but at least one chunk if there is any. */
    static Selection of(EntryRing entries, long afterSeq, long maxBytes) {
        List<Long> numbers = new ArrayList<>();
        long bytes = 0;
        long after = Math.min(afterSeq, entries.nextSeq()); // the largest cursor has no successor
        for (long seq = Math.max(after + 1, entries.firstSeq()); seq < entries.nextSeq(); seq++) {
            if (!entries.kindOf(seq).output()) {
                continue;
            }
            int length = entries.lengthOf(seq);
            if (!numbers.isEmpty() && bytes + length > maxBytes) {
                return new Selection(numbers, bytes, true);
            }
            numbers.add(seq);
            bytes += length;
        }
        return new Selection(numbers, bytes, false);
    }

    /** The same, or less when there is no memory for it: a single chunk then, for which the caller still has to wait. */
    static Selection affordable(EntryRing entries, long afterSeq, long maxBytes, AnswerMemory memory) {
        long fair = memory.maxBytes() / ANSWERS_AT_ONCE / 3; // an answer takes its bytes two and a third times
        Selection whole = of(entries, afterSeq, Math.min(maxBytes, fair));
        if (memory.tryTakeAhead(whole.memoryBytes())) {
            return whole;
        }
        Selection smaller = of(entries, afterSeq, Math.min(maxBytes, SHORT_BYTES));
        if (memory.tryTakeAhead(smaller.memoryBytes())) {
            return smaller;
        }
        return of(entries, afterSeq, 0);
    }

    /** What the answer takes from the first byte that is loaded to the last one that is sent. */
    long memoryBytes() {
        return loadedBytes() + ReadResult.encodedBytes(numbers.size(), bytes) + ENVELOPE_BYTES;
    }

    /** What the chunks take before they are encoded. */
    long loadedBytes() {
        return bytes + numbers.size() * EVENT_BYTES;
    }
}
