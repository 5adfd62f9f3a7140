package dev.execserver.client.process;

import dev.execserver.protocol.process.ExitDetails;
import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.StreamKind;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What happens to a process, in the order of its sequence numbers, each number once. {@link Closed} or {@link Lost} is
 * the last event.
 */
public sealed interface ProcessEvent {

    /** A piece of output; may end inside of a UTF-8 sequence. */
    record Output(OutputChunk chunk) implements ProcessEvent {

        public long seq() {
            return chunk.seq();
        }

        public StreamKind stream() {
            return chunk.stream();
        }

        /** A copy of the bytes. */
        public byte[] bytes() {
            return chunk.bytes();
        }
    }

    /**
     * The process has exited; output may still follow.
     *
     * @param reason why, when the server ended it: {@code timeout}, {@code idle}, ...
     * @param details as in {@link Outcome.Exited}
     */
    record Exited(long seq, int exitCode, boolean sandboxDenied, Optional<String> reason, ExitDetails details)
            implements ProcessEvent {

        /** Without details. */
        public Exited(long seq, int exitCode, boolean sandboxDenied, Optional<String> reason) {
            this(seq, exitCode, sandboxDenied, reason, ExitDetails.NONE);
        }
    }

    /**
     * Exited, and all output has ended.
     *
     * @param reason why the output was given up before its end, when it was
     */
    record Closed(Optional<String> reason) implements ProcessEvent {}

    /**
     * Output that is gone: the server no longer had it when it was asked for.
     *
     * @param fromSeq first number that is missing
     * @param toSeq last number that is missing
     * @param droppedBytes how much that was, when the server says so
     */
    record Gap(long fromSeq, long toSeq, OptionalLong droppedBytes) implements ProcessEvent {}

    /**
     * Nothing more will be heard of the process; what becomes of it is not known.
     *
     * @param ended but for this: the server does not know its session any more, so it has ended
     */
    record Lost(String reason, boolean ended) implements ProcessEvent {

        /** It may still run. */
        public Lost(String reason) {
            this(reason, false);
        }
    }
}
