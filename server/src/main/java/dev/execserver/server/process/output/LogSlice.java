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
     * A loss that the answer declares, so that no event disappears silently.
     *
     * @param firstSeq oldest number that is still kept
     * @param droppedBytes bytes of this process that were dropped so far
     */
    record Gap(long firstSeq, long droppedBytes) {}
}
