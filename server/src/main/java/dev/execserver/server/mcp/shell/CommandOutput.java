package dev.execserver.server.mcp.shell;

import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.StreamKind;
import dev.execserver.server.memory.MemoryBudget;

/** Output of one command, bounded: each stream alone, and both in the order of arrival. One thread. */
final class CommandOutput implements AutoCloseable {
    /** Bytes that are kept of each: as many as the original of this tool keeps. */
    static final int MAX_BYTES = 1024 * 1024;

    private final OutputCapture both;
    private final OutputCapture stdout;
    private final OutputCapture stderr;
    private final StreamJoiner joiner;

    CommandOutput(MemoryBudget memory) {
        both = new OutputCapture(MAX_BYTES, memory);
        stdout = new OutputCapture(MAX_BYTES, memory);
        stderr = new OutputCapture(MAX_BYTES, memory);
        joiner = new StreamJoiner(both::add);
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
        return both.text();
    }

    String stdout() {
        return stdout.text();
    }

    String stderr() {
        return stderr.text();
    }

    long omitted() {
        return both.omitted();
    }

    @Override
    public void close() {
        both.close();
        stdout.close();
        stderr.close();
    }
}
