package dev.execserver.sandbox.plan;

import dev.execserver.sandbox.bwrap.BwrapRun;
import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.linux.MountGeneration;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.outcome.SetupResult;
import dev.execserver.sandbox.spawn.AttachedChild;
import dev.execserver.sandbox.spawn.ExitStatus;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;

/** A command that shares the standard streams of this process. Any thread may signal. Close it after the exit. */
public final class AttachedSandbox implements AutoCloseable {
    private final AttachedChild child;
    private final Optional<BwrapRun> bubblewrap;
    private final boolean onTerminal;
    private final Optional<MountGeneration.Mark> mounts;
    private final IntSupplier notExecuted;

    /**
     * Makes the handle of a started command.
     *
     * @param mounts the state of mounts before bubblewrap was started; empty without bubblewrap
     * @param notExecuted returns the exit code if the program could not be executed in its sandbox
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

    /** Waits until the command is executed, or cannot be. */
    public SetupResult awaitSetup() {
        return SandboxRun.standing(bubblewrap.map(run -> run.awaitSetup(() -> false)), mounts);
    }

    /** Returns the listening sockets in the network of the command, see {@link BwrapRun#takeProxyListeners}. */
    public List<AsyncFd> takeProxyListeners() {
        return bubblewrap.map(BwrapRun::takeProxyListeners).orElse(List.of());
    }

    /** Signals the command's process group; on a terminal, only the command. Returns false if there is no process. */
    public boolean signal(int number) {
        return bubblewrap.map(run -> run.signal(number)).orElseGet(() -> signalChild(number));
    }

    /** Kills the command and all processes in its sandbox; without bubblewrap, the command and its group. */
    public void kill() {
        boolean _ = signalChild(ProcessCalls.SIGKILL); // false: it has just ended
    }

    private boolean signalChild(int number) {
        return onTerminal ? child.signal(number) : child.signalGroup(number);
    }

    /** Returns true if the command shares terminal and process group with this process. */
    public boolean onTerminal() {
        return onTerminal;
    }

    /** Returns true if a process in this process group other than this process is stopped. For commands on a terminal. */
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

    /** Waits for the exit; false if the time was up. */
    public boolean awaitExit(Duration limit) {
        try {
            return child.awaitExit(limit).isPresent();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Waits for the exit; empty if the time was up. What a sandbox around the command reports is an exit code: 128 + N after
     * signal N.
     */
    public Optional<ExitStatus> awaitStatus(Duration limit) throws InterruptedException {
        return child.awaitExit(limit)
                .map(exit -> bubblewrap
                        .map(run -> exit.reported(run.exitCode(exit, notExecuted)))
                        .orElse(exit));
    }

    /** Waits for the end of all processes of the command, and restores protected links that the command has changed. */
    public int awaitExitCode() {
        ExitStatus exit = child.awaitExit();
        bubblewrap.ifPresent(BwrapRun::awaitGone);
        bubblewrap.ifPresent(BwrapRun::restoreLinks); // changes were logged
        return bubblewrap.map(run -> run.exitCode(exit, notExecuted)).orElseGet(exit::code);
    }

    @Override
    public void close() {
        bubblewrap.ifPresent(BwrapRun::close);
    }
}
