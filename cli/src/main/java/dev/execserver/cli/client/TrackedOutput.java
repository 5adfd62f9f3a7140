package dev.execserver.cli.client;

import java.io.IOException;
import java.io.OutputStream;
import java.util.function.BooleanSupplier;

/** Output of a remote terminal, whose changes of the local one are remembered while it is on the way. */
final class TrackedOutput extends OutputStream {
    private final OutputStream target;
    private final TerminalModes modes;
    private final BooleanSupplier fromTerminal;

    /** @param fromTerminal true while the output is that of a remote terminal */
    TrackedOutput(OutputStream target, TerminalModes modes, BooleanSupplier fromTerminal) {
        this.target = target;
        this.modes = modes;
        this.fromTerminal = fromTerminal;
    }

    @Override
    public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (fromTerminal.getAsBoolean()) {
            modes.seen(bytes, offset, length); // before they are written: a signal may end this program between the two
        }
        target.write(bytes, offset, length);
    }
}
