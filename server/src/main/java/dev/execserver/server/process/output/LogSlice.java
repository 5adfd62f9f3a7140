package dev.execserver.server.process.output;

import java.util.List;
import java.util.Optional;

/**
 * The result of a {@code process/read} before it is encoded.
 *
 * @param chunks output events in order of their numbers
 * @param nextSeq pass {@code nextSeq - 1} as the next {@code afterSeq}
 * @param exit the exit of the process, if it has exited
 * @param closed true if no further event will come
 * @param gap the loss after the reader's cursor, if events were dropped
 */
record LogSlice(List<OutputEvent> chunks, long nextSeq, Optional<Exit> exit, boolean closed, Optional<Gap> gap) {

    /**
     * Begins the answer to a read that has chosen its chunks: everything but their bytes. The lock of the log is held.
     *
     * @param ownLimit true if the reader has set a limit of its own
     * @param exitSeq number of the exit, if there is one
     */
    static LogSlice begin(
            EntryRing entries,
            Selection chosen,
            long afterSeq,
            boolean ownLimit,
            Optional<Exit> exit,
            long exitSeq,
            boolean closed) {
        boolean ownCursor = (ownLimit || chosen.cut()) && !chosen.numbers().isEmpty();
        long nextSeq = ownCursor ? chosen.numbers().getLast() + 1 : entries.nextSeq();
        boolean toldAll = ownLimit || !chosen.cut();
        Optional<Exit> shownExit = toldAll || exitSeq < nextSeq ? exit : Optional.empty();
        return new LogSlice(List.of(), nextSeq, shownExit, closed && toldAll, entries.gapAfter(afterSeq));
    }

    /** Returns the same answer with these chunks. */
    LogSlice with(List<OutputEvent> loaded) {
        return new LogSlice(loaded, nextSeq, exit, closed, gap);
    }

    /**
     * A loss that the answer declares, so that no event disappears silently.
     *
     * @param firstSeq oldest number that is still kept
     * @param droppedBytes bytes of this process that were dropped so far
     */
    record Gap(long firstSeq, long droppedBytes) {}
}
