package dev.execserver.cli.client;

import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.TerminalAttributes;
import dev.execserver.sandbox.linux.TerminalCalls;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Standard output or standard error of a job. Where {@code stty tostop} would stop a job in the background it waits for the
 * foreground instead: a stopped JVM cannot act upon SIGTERM, for the write that is resumed by SIGCONT stops it again. Any
 * thread. No state.
 */
final class JobOutput extends OutputStream {
    /** Pause between looks if the job has come to the foreground. */
    private static final Duration LOOK = Duration.ofMillis(100);

    private final int descriptor;
    private final OutputStream target;
    private final BooleanSupplier fromTerminal;

    /** @param fromTerminal true while the output is that of another terminal, which has put carriage returns into it */
    JobOutput(int descriptor, OutputStream target, BooleanSupplier fromTerminal) {
        this.descriptor = descriptor;
        this.target = target;
        this.fromTerminal = fromTerminal;
    }

    @Override
    public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Optional<TerminalAttributes> terminal = terminal();
        while (terminal.isPresent() && terminal.get().stopsWriters() && inBackground()) {
            pause();
            terminal = terminal();
        }
        if (terminal.isPresent() && terminal.get().addsCarriageReturns() && fromTerminal.getAsBoolean()) {
            byte[] lines = withoutReturns(bytes, offset, length);
            target.write(lines, 0, lines.length);
        } else {
            target.write(bytes, offset, length);
        }
    }

    /** Removes the carriage return before each line feed. One that ends these bytes stays; it is seen twice at worst. */
    static byte[] withoutReturns(byte[] bytes, int offset, int length) {
        byte[] kept = new byte[length];
        int count = 0;
        int end = offset + length;
        for (int i = offset; i < end; i++) {
            if (bytes[i] != '\r' || i + 1 == end || bytes[i + 1] != '\n') {
                kept[count++] = bytes[i];
            }
        }
        return Arrays.copyOf(kept, count);
    }

    private Optional<TerminalAttributes> terminal() {
        try {
            return Optional.of(TerminalCalls.attributes(descriptor));
        } catch (LinuxException noTerminal) {
            return Optional.empty();
        }
    }

    private boolean inBackground() {
        try {
            int _ = TerminalCalls.foregroundGroup(descriptor);
        } catch (LinuxException notOurs) {
            return false; // the kernel stops the jobs of this terminal only
        }
        return !ForegroundJob.own();
    }

    private static void pause() throws InterruptedIOException {
        try {
            Thread.sleep(LOOK);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted in the background");
        }
    }
}
