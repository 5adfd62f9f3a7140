package dev.execserver.server.process.output;

import dev.execserver.protocol.process.ExitDetails;
import dev.execserver.protocol.process.ReadResult;
import java.util.Optional;
import java.util.OptionalInt;

/** Converts slices of the log to results of {@code process/read}. */
public final class ReadResults {

    private ReadResults() {}

    public static ReadResult of(LogSlice slice) {
        Optional<Exit> exit = slice.exit();
        return new ReadResult(
                slice.chunks().stream().map(OutputEvent::chunk).toList(),
                slice.nextSeq(),
                exit.isPresent(),
                exit.isPresent() ? OptionalInt.of(exit.get().code()) : OptionalInt.empty(),
                slice.closed(),
                Optional.empty(),
                exit.isPresent() && exit.get().denied(),
                slice.gap().map(gap -> new ReadResult.Dropped(gap.firstSeq(), gap.droppedBytes())),
                exit.flatMap(Exit::reason),
                exit.map(Exit::details).orElse(ExitDetails.NONE));
    }
}
