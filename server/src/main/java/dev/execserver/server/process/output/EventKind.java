package dev.execserver.server.process.output;

import dev.execserver.protocol.process.StreamKind;
import java.util.Optional;

/** Kind of an event with a sequence number. */
public enum EventKind {
    STDOUT(StreamKind.STDOUT),
    STDERR(StreamKind.STDERR),
    PTY(StreamKind.PTY),
    EXITED(null),
    CLOSED(null);

    private final StreamKind stream;

    EventKind(StreamKind stream) {
        this.stream = stream;
    }

    /** The stream that the output came from; empty for the two events without bytes. */
    Optional<StreamKind> stream() {
        return Optional.ofNullable(stream);
    }

    boolean output() {
        return stream != null;
    }
}
