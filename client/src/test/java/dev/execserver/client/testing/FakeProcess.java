package dev.execserver.client.testing;

import dev.execserver.protocol.process.ClosedNotification;
import dev.execserver.protocol.process.ExitedNotification;
import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.OutputNotification;
import dev.execserver.protocol.process.ProcessMethodNames;
import dev.execserver.protocol.process.ReadParams;
import dev.execserver.protocol.process.ReadResult;
import dev.execserver.protocol.process.StreamKind;
import dev.execserver.protocol.rpc.JsonWritable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** History of a process as a server keeps it. Not thread safe. */
public final class FakeProcess {

    /** A pushed notification. */
    public record Pushed(String method, JsonWritable params) {
        boolean output() {
            return method.equals(ProcessMethodNames.OUTPUT);
        }
    }

    private final String id;
    private final Era era;
    private final List<OutputChunk> chunks = new ArrayList<>();
    private long nextSeq = 1;
    private long droppedBytes;
    private OptionalInt exitCode = OptionalInt.empty();
    private boolean denied;
    private boolean closed;

    public FakeProcess(String id, Era era) {
        this.id = id;
        this.era = era;
    }

    public Pushed output(StreamKind stream, String text) {
        OutputChunk chunk = new OutputChunk(nextSeq++, stream, text.getBytes(StandardCharsets.UTF_8));
        chunks.add(chunk);
        return new Pushed(ProcessMethodNames.OUTPUT, new OutputNotification(id, chunk));
    }

    public Pushed exit(int code, boolean sandboxDenied) {
        exitCode = OptionalInt.of(code);
        denied = sandboxDenied;
        boolean says = era == Era.C || era == Era.OURS;
        Optional<Boolean> told = says ? Optional.of(sandboxDenied) : Optional.empty();
        return new Pushed(
                ProcessMethodNames.EXITED, new ExitedNotification(id, nextSeq++, code, told, Optional.empty()));
    }

    public Pushed close() {
        closed = true;
        OptionalLong seq = era == Era.A ? OptionalLong.empty() : OptionalLong.of(nextSeq++);
        return new Pushed(ProcessMethodNames.CLOSED, new ClosedNotification(id, seq, Optional.empty()));
    }

    /** Drops the oldest chunks, so that this many are left. */
    public void keep(int count) {
        while (chunks.size() > count) {
            droppedBytes += chunks.removeFirst().length();
        }
    }

    /** Reads by the rules of section 4.5 of the protocol. */
    public ReadResult read(ReadParams params) {
        List<OutputChunk> shown = new ArrayList<>();
        long bytes = 0;
        for (OutputChunk chunk : chunks) {
            boolean fits = shown.isEmpty()
                    || bytes + chunk.length() <= params.maxBytes().orElse(Long.MAX_VALUE);
            if (chunk.seq() > params.afterSeq()) {
                if (!fits) {
                    break;
                }
                shown.add(chunk);
                bytes += chunk.length();
            }
        }
        long next = shown.isEmpty() ? nextSeq : shown.getLast().seq() + 1;
        return new ReadResult(
                shown, next, exitCode.isPresent(), exitCode, closed, Optional.empty(), denied, dropped(params));
    }

    /** Returns true if a long poll has to wait. */
    boolean nothingNew(ReadParams params) {
        boolean news = chunks.stream().anyMatch(chunk -> chunk.seq() > params.afterSeq());
        return !news && !closed && !(exitCode.isPresent() && params.afterSeq() < nextSeq - 1);
    }

    private Optional<ReadResult.Dropped> dropped(ReadParams params) {
        long first = chunks.isEmpty() ? nextSeq : chunks.getFirst().seq();
        boolean gone = era == Era.OURS && droppedBytes > 0 && params.afterSeq() + 1 < first;
        return gone ? Optional.of(new ReadResult.Dropped(first, droppedBytes)) : Optional.empty();
    }
}
