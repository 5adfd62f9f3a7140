package dev.execserver.server.mcp.shell;

import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.StreamKind;
import dev.execserver.server.memory.MemoryBudget;
import java.util.Optional;

/** Output of one command, bounded: each stream alone, and both together. One thread. */
final class CommandOutput implements AutoCloseable {
    /** Bytes that are kept of each: as many as the original of this tool keeps. */
    static final int MAX_BYTES = 1024 * 1024;

    private final Optional<OutputCapture> both;
    private final OutputCapture stdout;
    private final OutputCapture stderr;
    private final StreamJoiner joiner;

    private CommandOutput(Optional<OutputCapture> both, OutputCapture stdout, OutputCapture stderr) {
        this.both = both;
        this.stdout = stdout;
        this.stderr = stderr;
        this.joiner =
                new StreamJoiner((bytes, offset, length) -> both.ifPresent(all -> all.add(bytes, offset, length)));
    }

    /** Returns one whose streams are together in the order of arrival. */
    static CommandOutput interleaved(MemoryBudget memory) {
        return new CommandOutput(
                Optional.of(new OutputCapture(MAX_BYTES, memory)),
                new OutputCapture(MAX_BYTES, memory),
                new OutputCapture(MAX_BYTES, memory));
    }

    /** Returns one that keeps the beginning of each stream; together they are stdout and then stderr, cut. */
    static CommandOutput successive(MemoryBudget memory) {
        return new CommandOutput(
                Optional.empty(),
                OutputCapture.beginning(MAX_BYTES, memory),
                OutputCapture.beginning(MAX_BYTES, memory));
    }

    void add(OutputChunk chunk) {
        joiner.add(chunk);
        OutputCapture own = chunk.stream() == StreamKind.STDERR ? stderr : stdout;
        own.add(chunk.buffer(), chunk.offset(), chunk.length());
    }

    void finish() {
        joiner.finish();
    }

    String both() {
        return both.map(OutputCapture::text).orElseGet(() -> OutputCapture.joined(stdout, stderr, MAX_BYTES));
    }

    String stdout() {
        return stdout.text();
    }

    String stderr() {
        return stderr.text();
    }

    long omitted() {
        return both.map(OutputCapture::omitted).orElse(0L);
    }

    @Override
    public void close() {
        both.ifPresent(OutputCapture::close);
        stdout.close();
        stderr.close();
    }
}
