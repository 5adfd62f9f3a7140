package dev.execserver.server.process;

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

    /** What a read is content with while the memory for answers is short. */
    private static final long SHORT_BYTES = 1024 * 1024L;

    /** As much after {@code afterSeq} as is wanted, but at least one chunk if there is any. */
    static Selection of(EntryRing entries, long afterSeq, long maxBytes) {
        List<Long> numbers = new ArrayList<>();
        long bytes = 0;
        for (long seq = Math.max(afterSeq + 1, entries.firstSeq()); seq < entries.nextSeq(); seq++) {
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
        Selection whole = of(entries, afterSeq, maxBytes);
        if (memory.tryReserve(whole.bytes())) {
            return whole;
        }
        Selection smaller = of(entries, afterSeq, Math.min(maxBytes, SHORT_BYTES));
        if (memory.tryReserve(smaller.bytes())) {
            return smaller;
        }
        return of(entries, afterSeq, 0);
    }
}
