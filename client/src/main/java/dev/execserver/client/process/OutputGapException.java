package dev.execserver.client.process;

import java.io.IOException;

/**
 * Output is missing at this place of a stream: the server no longer had it. Which of the process's streams it belonged to
 * is not known, so both report it. Reading may go on behind it.
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
