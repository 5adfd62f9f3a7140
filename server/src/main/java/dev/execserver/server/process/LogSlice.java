package dev.execserver.server.process;

import java.util.List;
import java.util.Optional;

/**
 * What a reader is shown: the answer to {@code process/read} before it is encoded.
 *
 * @param chunks output events in the order of their numbers
 * @param nextSeq pass {@code nextSeq - 1} as the next {@code afterSeq}
 * @param exit how the process ended, if it has
 * @param closed whether no further event will come
 * @param gap what was dropped after the reader's cursor, if anything
 */
record LogSlice(List<OutputEvent> chunks, long nextSeq, Optional<Exit> exit, boolean closed, Optional<Gap> gap) {

    /**
     * Declared loss: nothing is ever dropped in silence.
     *
     * @param firstSeq oldest number that is still retained
     * @param droppedBytes bytes of this process that were dropped so far
     */
    record Gap(long firstSeq, long droppedBytes) {}
}
