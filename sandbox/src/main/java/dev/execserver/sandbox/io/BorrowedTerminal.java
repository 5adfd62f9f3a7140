package dev.execserver.sandbox.io;

import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.linux.TerminalAttributes;
import dev.execserver.sandbox.linux.TerminalCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The controlling terminal, taken from the command for one question: its settings and its foreground group are put back at the
 * close. A shell in the command gives the terminal to each of its jobs; it is taken only from the job that is asked about, which waits
 * for the answer. One thread uses it; SIGTTIN and SIGTTOU are ignored.
 */
public final class BorrowedTerminal implements AutoCloseable {
    private static final byte[] PATH = "/dev/tty".getBytes(StandardCharsets.US_ASCII);
    private static final long INTERRUPT_LOOK_NANOS = Duration.ofMillis(100).toNanos();
    private static final int KEY_BYTES = 256;

    private final AsyncFd terminal;
    private final TerminalAttributes before;
    private final Optional<Integer> group;

    private BorrowedTerminal(AsyncFd terminal, TerminalAttributes before, Optional<Integer> group) {
        this.terminal = terminal;
        this.before = before;
        this.group = group;
    }

    /**
     * Takes the terminal.
     *
     * @param asking process that is asked about; empty for the command's own program
     * @throws LinuxException if there is none, or if it belongs to another job
     */
    public static BorrowedTerminal take(Poller poller, OptionalLong asking) {
        int flags = FileCalls.O_RDWR | FileCalls.O_NONBLOCK | FileCalls.O_NOCTTY | FileCalls.O_CLOEXEC;
        Fd opened = FileCalls.open(PATH, flags, 0);
        try {
            Optional<Integer> lender = foreground(opened.number(), asking);
            TerminalAttributes before = TerminalCalls.attributes(opened.number());
            TerminalCalls.setAttributes(opened.number(), before.raw());
            return new BorrowedTerminal(AsyncFd.terminal(poller, opened), before, lender);
        } catch (LinuxException e) {
            opened.close();
            throw e;
        }
    }

    /** Puts this process into the foreground; returns the group that was there before if it was another one. */
    private static Optional<Integer> foreground(int terminal, OptionalLong asking) {
        int own = group(ProcessCalls.ownPid()).orElse(0);
        int group = TerminalCalls.foregroundGroup(terminal);
        if (group == own) {
            return Optional.empty();
        }
        // Any other group may be a shell that waits for a line. It would take the loss of its terminal for the end of
        // the input.
        if (asking.isEmpty() || !group((int) asking.getAsLong()).equals(Optional.of(group))) {
            throw new LinuxException(
                    "tcsetpgrp", "the terminal, because the program is in the background", Errno.EPERM);
        }
        TerminalCalls.setForegroundGroup(terminal, own);
        return Optional.of(group);
    }

    private static Optional<Integer> group(int pid) {
        return ProcFiles.stat(pid).map(ProcFiles.Stat::group);
    }

    /** Writes text. Parks while there is no room. */
    public void write(String text) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment left = arena.allocateFrom(text, StandardCharsets.UTF_8);
            left = left.asSlice(0, left.byteSize() - 1);
            while (left.byteSize() > 0) {
                left = left.asSlice(terminal.write(left));
            }
        }
    }

    /**
     * Waits for a key.
     *
     * @return empty if none came in time, or the terminal was closed
     * @throws InterruptedException if the answer is wanted no more
     */
    public Optional<String> key(long deadline) throws InterruptedException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(KEY_BYTES);
            while (deadline - System.nanoTime() > 0) {
                int count = terminal.tryRead(buffer);
                if (count >= 0) {
                    return count == 0
                            ? Optional.empty()
                            : Optional.of(new String(
                                    buffer.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE),
                                    StandardCharsets.ISO_8859_1));
                }
                boolean _ = terminal.awaitReadable(Math.min(INTERRUPT_LOOK_NANOS, deadline - System.nanoTime()));
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        try (terminal) {
            terminal.use(fd -> {
                TerminalCalls.setAttributes(fd, before);
                group.ifPresent(lender -> giveBack(fd, lender));
                return true;
            });
        } catch (LinuxException gone) {
            // The terminal was closed, or the job has ended meanwhile; its shell takes the terminal back itself.
            return;
        }
    }

    /** The kernel has stopped members of the job that have used the terminal meanwhile. */
    private static void giveBack(int terminal, int lender) {
        TerminalCalls.setForegroundGroup(terminal, lender);
        boolean _ = ProcessCalls.kill(-lender, ProcessCalls.SIGCONT); // false: the job has ended
    }
}
