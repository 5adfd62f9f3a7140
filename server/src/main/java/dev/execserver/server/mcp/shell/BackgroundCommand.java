package dev.execserver.server.mcp.shell;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.process.ReadResult;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.server.memory.MemoryBudget;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A command in the background. A virtual thread of its own collects its output; threads of calls use the rest. */
final class BackgroundCommand implements JsonWritable {
    private static final long READ_MS = 60_000;
    private static final Logger LOG = LoggerFactory.getLogger(BackgroundCommand.class);

    private final CommandSpec spec;
    private final RunningCommand running;
    private final BackgroundOutput output;
    private final Instant startedAt = Instant.now();

    BackgroundCommand(CommandSpec spec, RunningCommand running, MemoryBudget memory) {
        this.spec = spec;
        this.running = running;
        this.output = new BackgroundOutput(memory);
    }

    CommandSpec spec() {
        return spec;
    }

    RunningCommand running() {
        return running;
    }

    BackgroundOutput output() {
        return output;
    }

    boolean ended() {
        return output.end().isPresent();
    }

    /** Collects the output until it ends. */
    void collect() {
        StreamJoiner joiner = new StreamJoiner(output::add);
        BackgroundOutput.End end = new BackgroundOutput.End(OptionalInt.empty(), false);
        try {
            end = follow(joiner);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.error("the output of command {} is lost", spec.id(), e);
        } finally {
            joiner.finish();
            output.ended(end);
        }
    }

    private BackgroundOutput.End follow(StreamJoiner joiner) throws InterruptedException {
        ReadResult[] last = new ReadResult[1];
        long cursor = 0;
        do {
            running.read(cursor, READ_MS, () -> false, read -> {
                read.chunks().forEach(joiner::add);
                last[0] = read;
            });
            cursor = last[0].nextSeq() - 1;
        } while (!last[0].closed() && !running.forgotten());
        boolean timedOut = last[0].reason().filter("timeout"::equals).isPresent();
        return new BackgroundOutput.End(
                timedOut ? OptionalInt.of(ShellResult.TIMED_OUT) : last[0].exitCode(), timedOut);
    }

    /** Writes the members that tell if it runs. */
    void writeState(JsonGenerator g) throws IOException {
        Optional<BackgroundOutput.End> end = output.end();
        g.writeStringField("id", spec.id());
        g.writeBooleanField("running", end.isEmpty());
        if (end.isPresent() && end.get().exitCode().isPresent()) {
            g.writeNumberField("exit_code", end.get().exitCode().getAsInt());
        }
        g.writeBooleanField("timed_out", end.isPresent() && end.get().timedOut());
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        writeState(g);
        g.writeStringField("command", spec.command());
        g.writeStringField("workdir", spec.workdir());
        g.writeBooleanField("tty", spec.tty());
        g.writeNumberField("output_bytes", output.total());
        g.writeStringField("started_at", startedAt.toString());
        g.writeEndObject();
    }
}
