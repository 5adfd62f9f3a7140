package dev.execserver.server.app;

import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.ReadParams;
import dev.execserver.protocol.process.ReadResult;
import dev.execserver.protocol.process.StreamKind;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.process.ManagedProcess;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Reads the output of a running command to its end. Used by one thread, which may wait. */
final class CommandReader {

    /** Largest piece of output that is sent at once, in bytes. */
    static final int PIECE_BYTES = 64 * 1024;

    /** Time between two looks at the connection. */
    private static final long LOOK_MS = TimeUnit.SECONDS.toMillis(30);

    private final Command command;
    private final Optional<CommandOutput> receiver;
    private final AnswerMemory pieces;
    private final BooleanSupplier gone;
    private final CommandStream stdout;
    private final CommandStream stderr;

    /**
     * Makes a reader.
     *
     * @param receiver gets streamed output; empty if nobody wants it
     * @param kept pays for the output that the answer will have
     * @param pieces pays for the output that is on its way
     * @param gone returns true if nobody waits for the end any more
     */
    CommandReader(
            Command command,
            Optional<CommandOutput> receiver,
            AnswerMemory kept,
            AnswerMemory pieces,
            BooleanSupplier gone) {
        this.command = command;
        this.receiver = receiver;
        this.pieces = pieces;
        this.gone = gone;
        boolean noTime = command.spec().timeoutMs().equals(OptionalLong.of(0));
        // such a command is ended at once, and what it may print meanwhile is a matter of luck
        OptionalLong cap = noTime ? OptionalLong.of(0) : command.spec().cap();
        this.stdout = new CommandStream(cap, kept);
        this.stderr = new CommandStream(cap, kept);
    }

    /** Returns the end, or empty if nobody waits for it any more. */
    Optional<CommandEnd> readToEnd() throws InterruptedException {
        ManagedProcess process = command.process();
        long after = 0;
        while (!gone.getAsBoolean()) {
            ReadResult read = process.read(
                    new ReadParams(process.processId(), after, OptionalLong.of(PIECE_BYTES), LOOK_MS), pieces, gone);
            after = read.nextSeq() - 1;
            if (read.closed() && read.chunks().isEmpty()) {
                return Optional.of(end(read, process.closeReason()));
            }
            if (command.spec().streamOutput()) {
                stream(read.chunks());
            } else {
                read.chunks().forEach(this::keep);
            }
            pieces.release();
        }
        return Optional.empty();
    }

    private void keep(OutputChunk chunk) {
        of(chunk).keep(chunk.buffer(), chunk.offset(), chunk.length());
    }

    private CommandStream of(OutputChunk chunk) {
        return chunk.stream() == StreamKind.STDERR ? stderr : stdout;
    }

    /** Sends the chunks of one read, those of each stream as one piece. */
    private void stream(List<OutputChunk> chunks) throws InterruptedException {
        for (CommandStream stream : List.of(stdout, stderr)) {
            ByteArrayOutputStream piece = new ByteArrayOutputStream();
            boolean reachedBefore = stream.capReached();
            for (OutputChunk chunk : chunks) {
                if (of(chunk) == stream) {
                    piece.write(chunk.buffer(), chunk.offset(), stream.admit(chunk.length()));
                }
            }
            boolean reached = stream.capReached() && !reachedBefore;
            if (receiver.isPresent() && (piece.size() > 0 || reached)) {
                receiver.get().send(stream == stdout, piece.toByteArray(), reached);
            }
        }
    }

    private CommandEnd end(ReadResult last, Optional<String> closeReason) {
        boolean timedOut = last.reason().equals(Optional.of("timeout"));
        return new CommandEnd(
                timedOut ? CommandEnd.TIMED_OUT : last.exitCode().orElse(-1),
                timedOut,
                closeReason.isPresent(),
                stdout.text(),
                stdout.capReached(),
                stderr.text(),
                stderr.capReached());
    }
}
