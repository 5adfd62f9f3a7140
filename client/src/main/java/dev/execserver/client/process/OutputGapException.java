package dev.execserver.client.process;

import java.io.IOException;

/**
 * Reports that output is missing at this place of a stream, because the server no longer had it. It is not known to
 * which of the process's streams it belonged, so both report it. Reading may continue afterwards.
 */
public final class OutputGapException extends IOException {

    private static final long serialVersionUID = 1L;

    private final transient ProcessEvent.Gap gap;

    OutputGapException(ProcessEvent.Gap gap) {
        super("output with the sequence numbers " + gap.fromSeq() + " to " + gap.toSeq() + " is no longer retained"
                + (gap.droppedBytes().isPresent() ? " (" + gap.droppedBytes().getAsLong() + " bytes)" : ""));
        this.gap = gap;
    }

    public ProcessEvent.Gap gap() {
        return gap;
    }
}
