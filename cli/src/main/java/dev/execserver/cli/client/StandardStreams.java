package dev.execserver.cli.client;

import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.linux.SignalCalls;
import dev.execserver.sandbox.linux.TerminalAttributes;
import dev.execserver.sandbox.linux.TerminalCalls;
import dev.execserver.sandbox.linux.TerminalCalls.WindowSize;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/** Descriptors 0, 1 and 2 of this program. They bypass {@code System.out}, which hides errors. */
final class StandardStreams implements LocalTerminal {
    private static final int INPUT = 0;
    private static final int OUTPUT = 1;
    private static final int ERRORS = 2;

    private final InputStream input = new FileInputStream(FileDescriptor.in);

    /** Guards the settings of the terminal while they are read and changed. */
    private final ReentrantLock lock = new ReentrantLock();

    private final AtomicBoolean rawWanted = new AtomicBoolean();

    private final TerminalModes modes = new TerminalModes();
    private final OutputStream terminalOutput = new FileOutputStream(FileDescriptor.out);
    private final OutputStream output =
            new TrackedOutput(new JobOutput(OUTPUT, terminalOutput, rawWanted::get), modes, rawWanted::get);
    private final OutputStream errors = new JobOutput(ERRORS, new FileOutputStream(FileDescriptor.err), rawWanted::get);

    /** Settings of the terminal before it was made raw; null while it is not raw. */
    private final AtomicReference<TerminalAttributes> saved = new AtomicReference<>();

    /** Opens the streams. From now on the use of the terminal does not stop this program when it runs in the background. */
    static StandardStreams open() {
        SignalCalls.ignore(ProcessCalls.SIGTTIN);
        SignalCalls.ignore(ProcessCalls.SIGTTOU);
        return new StandardStreams();
    }

    @Override
    public InputStream input() {
        return input;
    }

    @Override
    public boolean inputReady() {
        return TerminalCalls.readable(INPUT);
    }

    @Override
    public OutputStream output() {
        return output;
    }

    @Override
    public OutputStream errors() {
        return errors;
    }

    @Override
    public boolean inputIsTerminal() {
        return TerminalCalls.isTerminal(INPUT);
    }

    @Override
    public boolean outputIsTerminal() {
        return TerminalCalls.isTerminal(OUTPUT);
    }

    @Override
    public boolean inputIsNull() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/" + INPUT)).equals(Path.of("/dev/null"));
        } catch (IOException noProc) {
            return false;
        }
    }

    @Override
    public boolean errorsAreTerminal() {
        return TerminalCalls.isTerminal(ERRORS);
    }

    @Override
    public Optional<WindowSize> windowSize() {
        return IntStream.of(OUTPUT, INPUT, ERRORS)
                .filter(TerminalCalls::isTerminal)
                .mapToObj(StandardStreams::sizeOf)
                .filter(size -> size.rows() > 0 && size.columns() > 0)
                .findFirst();
    }

    @Override
    public boolean inputInForeground() {
        return !inputIsTerminal() || ForegroundJob.own();
    }

    @Override
    public void enterRawMode() {
        rawWanted.set(true);
        keepRawMode();
    }

    @Override
    public void keepRawMode() {
        lock.lock();
        try {
            if (rawWanted.get() && inputIsTerminal() && ForegroundJob.own()) {
                TerminalAttributes now = TerminalCalls.attributes(INPUT);
                if (now.cooked()) {
                    boolean _ = saved.compareAndSet(null, now);
                    TerminalCalls.setAttributes(INPUT, now.raw());
                }
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public TerminalModes modes() {
        return modes;
    }

    @Override
    public void restoreTerminal() {
        resetModes();
        rawWanted.set(false);
        lock.lock();
        try {
            TerminalAttributes before = saved.getAndSet(null);
            if (before != null && ForegroundJob.own()) {
                TerminalCalls.setAttributes(INPUT, before);
            }
        } catch (LinuxException gone) {
            // The terminal was closed, so its settings do not matter.
            return;
        } finally {
            lock.unlock();
        }
    }

    private void resetModes() {
        byte[] reset = outputIsTerminal() ? modes.takeReset() : new byte[0];
        try {
            terminalOutput.write(reset);
        } catch (IOException gone) {
            return; // the terminal was closed
        }
    }

    private static WindowSize sizeOf(int fd) {
        try {
            return TerminalCalls.windowSize(fd);
        } catch (LinuxException gone) {
            return new WindowSize(0, 0);
        }
    }
}
