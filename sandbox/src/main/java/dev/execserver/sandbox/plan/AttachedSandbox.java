package dev.execserver.sandbox.plan;

import dev.execserver.sandbox.bwrap.BwrapRun;
import dev.execserver.sandbox.linux.MountGeneration;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.spawn.AsyncFd;
import dev.execserver.sandbox.spawn.AttachedChild;
import dev.execserver.sandbox.spawn.ExitStatus;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;

/** A command that shares the standard streams of this process. Any thread may signal; closed after the exit. */
public final class AttachedSandbox implements AutoCloseable {
    private final AttachedChild child;
    private final Optional<BwrapRun> bubblewrap;
    private final boolean onTerminal;
    private final Optional<MountGeneration.Mark> mounts;
    private final IntSupplier notExecuted;

    /**
     * A command that was started.
     *
     * @param mounts the moment before bubblewrap was started, if it was
     * @param notExecuted the exit code when the program could not be executed in its sandbox
     */
    AttachedSandbox(
            AttachedChild child,
            Optional<BwrapRun> bubblewrap,
            boolean onTerminal,
            Optional<MountGeneration.Mark> mounts,
            IntSupplier notExecuted) {
        this.child = child;
        this.bubblewrap = bubblewrap;
        this.onTerminal = onTerminal;
        this.mounts = mounts;
        this.notExecuted = notExecuted;
    }

    /** Waits until the command is being executed, or will not be. */
    public BwrapRun.Standing awaitStanding() {
        return SandboxRun.standing(bubblewrap.map(run -> run.awaitStanding(() -> false)), mounts);
    }

    /** The listening sockets that lead out of its network, see {@link BwrapRun#takeDoors}. */
    public List<AsyncFd> takeDoors() {
        return bubblewrap.map(BwrapRun::takeDoors).orElse(List.of());
    }

    /** Signals the command's process group, on a terminal the command alone; false when there is nobody. */
    public boolean signal(int number) {
        return bubblewrap.map(run -> run.signal(number)).orElseGet(() -> signalChild(number));
    }

    /** Kills the command with what it has started in its sandbox, or else in its group. */
    public void kill() {
        boolean _ = signalChild(ProcessCalls.SIGKILL); // false: it has just ended
    }

    private boolean signalChild(int number) {
        return onTerminal ? child.signal(number) : child.signalGroup(number);
    }

    /** Whether it shares terminal and process group with this process. */
    public boolean onTerminal() {
        return onTerminal;
    }

    /** On a terminal: whether the command, or what it has started in our process group, is stopped. */
    public boolean stopped() {
        int own = ProcessCalls.ownPid();
        int group = ProcFiles.stat(own).map(ProcFiles.Stat::group).orElse(0);
        return Arrays.stream(ProcFiles.pids())
                .filter(pid -> pid != own)
                .mapToObj(ProcFiles::stat)
                .flatMap(Optional::stream)
                .anyMatch(stat -> stat.group() == group && stat.state() == 'T');
    }

    public boolean exited() {
        return child.exited();
    }

    /** Waits for the exit; false when the time was up. */
    public boolean awaitExit(Duration limit) {
        try {
            return child.awaitExit(limit).isPresent();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Waits for the end of everything, and puts right what the command has changed although it was protected. */
    public int awaitExitCode() {
        ExitStatus exit = child.awaitExit();
        bubblewrap.ifPresent(BwrapRun::awaitGone);
        bubblewrap.ifPresent(BwrapRun::restoreLinks); // what was not as before was logged
        return bubblewrap.map(run -> run.exitCode(exit, notExecuted)).orElseGet(exit::code);
    }

    @Override
    public void close() {
        bubblewrap.ifPresent(BwrapRun::close);
    }
}
