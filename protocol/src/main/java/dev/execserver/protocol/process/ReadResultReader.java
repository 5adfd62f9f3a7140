package dev.execserver.protocol.process;

import dev.execserver.protocol.rpc.ParamsReader;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Collects the members of {@link ReadResult} in any order. Servers of older releases leave some out. */
final class ReadResultReader {

    private List<OutputChunk> chunks;
    private Long nextSeq;
    private Boolean exited;
    private OptionalInt exitCode = OptionalInt.empty();
    private boolean closed;
    private Optional<String> failure = Optional.empty();
    private boolean sandboxDenied;
    private OptionalLong firstSeq = OptionalLong.empty();
    private OptionalLong droppedBytes = OptionalLong.empty();
    private Optional<String> reason = Optional.empty();
    private ExitDetails details = ExitDetails.NONE;

    private ReadResultReader() {}

    static ReadResult read(ParamsReader in) {
        ReadResultReader members = new ReadResultReader();
        while (in.next()) {
            members.take(in);
        }
        return members.build(in);
    }

    private void take(ParamsReader in) {
        switch (in.name()) {
            case "chunks" -> chunks = in.structs("ProcessOutputChunk", OutputChunk::read);
            case "nextSeq" -> nextSeq = in.u64();
            case "exited" -> exited = in.bool();
            case "exitCode" -> exitCode = in.i32OrNull();
            case "closed" -> closed = in.bool();
            case "failure" -> failure = in.stringOrNull();
            case "sandboxDenied" -> sandboxDenied = in.boolOrNull().orElse(false);
            case "firstSeq" -> firstSeq = in.u64OrNull();
            case "droppedBytes" -> droppedBytes = in.u64OrNull();
            case "reason" -> reason = in.stringOrNull();
            default -> details = details.read(in);
        }
    }

    private ReadResult build(ParamsReader in) {
        Optional<ReadResult.Dropped> dropped = firstSeq.isEmpty()
                ? Optional.empty()
                : Optional.of(new ReadResult.Dropped(firstSeq.getAsLong(), droppedBytes.orElse(0)));
        return new ReadResult(
                in.required("chunks", chunks),
                in.required("nextSeq", nextSeq),
                in.required("exited", exited),
                exitCode,
                closed,
                failure,
                sandboxDenied,
                dropped,
                reason,
                details);
    }
}
