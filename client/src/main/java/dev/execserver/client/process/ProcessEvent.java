package dev.execserver.client.process;

import dev.execserver.protocol.process.ExitDetails;
import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.StreamKind;
import dev.execserver.protocol.text.VisibleText;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Event of a process. Events come in the order of their sequence numbers, each once. {@link Closed} or {@link Lost} is
 * the last event.
 */
public sealed interface ProcessEvent {

    /** A piece of output; it may end inside of a UTF-8 sequence. */
    record Output(OutputChunk chunk) implements ProcessEvent {

        public long seq() {
            return chunk.seq();
        }

        public StreamKind stream() {
            return chunk.stream();
        }

        /** Returns a copy of the bytes. */
        public byte[] bytes() {
            return chunk.bytes();
        }
    }

    /**
     * The process has exited; output may still follow.
     *
     * @param reason reason why the server ended it, if it did: {@code timeout}, {@code idle}, ...
     * @param details as in {@link Outcome.Exited}
     */
    record Exited(long seq, int exitCode, boolean sandboxDenied, Optional<String> reason, ExitDetails details)
            implements ProcessEvent {

        /** Makes an event without details. */
        public Exited(long seq, int exitCode, boolean sandboxDenied, Optional<String> reason) {
            this(seq, exitCode, sandboxDenied, reason, ExitDetails.NONE);
        }
    }

    /**
     * The process has exited, and all output has ended.
     *
     * @param reason reason why the rest of the output was given up, if it was
     */
    record Closed(Optional<String> reason) implements ProcessEvent {}

    /**
     * Missing output, which the server no longer had.
     *
     * @param fromSeq first missing number
     * @param toSeq last missing number
     * @param droppedBytes size of the missing output, if the server reports it
     */
    record Gap(long fromSeq, long toSeq, OptionalLong droppedBytes) implements ProcessEvent {}

    /**
     * No more events of the process will come, and its state is unknown.
     *
     * @param reason one line without control characters; may repeat words of the server
     * @param ended true if the process has ended, because the server does not know its session any more
     */
    record Lost(String reason, boolean ended) implements ProcessEvent {

        public Lost {
            reason = VisibleText.oneLine(reason);
        }

        /** Makes the event for a process that may still run. */
        public Lost(String reason) {
            this(reason, false);
        }
    }
}
