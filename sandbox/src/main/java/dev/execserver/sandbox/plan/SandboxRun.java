package dev.execserver.sandbox.plan;

import dev.execserver.sandbox.bwrap.BwrapRun;
import dev.execserver.sandbox.bwrap.LinkGuard;
import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.linux.MountGeneration;
import dev.execserver.sandbox.linux.ProcFiles.Stat;
import dev.execserver.sandbox.outcome.LinkViolation;
import dev.execserver.sandbox.outcome.SetupResult;
import dev.execserver.sandbox.paths.CrossedLink;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ExitStatus;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** A command that was started according to a plan. Any thread. Close it after the exit. */
public final class SandboxRun implements AutoCloseable {
    private final Child child;
    private final Optional<BwrapRun> bubblewrap;
    private final boolean confines;
    private final Optional<MountGeneration.Mark> mounts;
    private final IntSupplier notExecuted;
    private volatile Runnable atEnd = () -> {};

    /**
     * Makes the handle of a command in bubblewrap.
     *
     * @param mounts the state of mounts before bubblewrap was started
     * @param notExecuted returns the exit code if the program could not be executed in its sandbox
     */
    SandboxRun(Child child, BwrapRun bubblewrap, MountGeneration.Mark mounts, IntSupplier notExecuted) {
        this.child = child;
        this.bubblewrap = Optional.of(bubblewrap);
        this.confines = true;
        this.mounts = Optional.of(mounts);
        this.notExecuted = notExecuted;
    }

    /** Makes the handle of a command without bubblewrap. */
    SandboxRun(Child child, boolean confines) {
        this.child = child;
        this.bubblewrap = Optional.empty();
        this.confines = confines;
        this.mounts = Optional.empty();
        this.notExecuted = () -> UnexecutedProgram.NOT_FOUND;
    }

    /** Returns true if the command is confined in any way. */
    public boolean confines() {
        return confines;
    }

    public Child child() {
        return child;
    }

    /** Waits until the command is executed, or cannot be. This thread looks at files, so it is no virtual one. */
    public SetupResult awaitSetup(BooleanSupplier cancelled) {
        return standing(bubblewrap.map(run -> run.awaitSetup(cancelled)), mounts);
    }

    /**
     * Waits until the command is executed, or cannot be.
     *
     * @param onFileThread runs the check of the finished view, which looks at files, on a thread that may wait for them. If it
     *     throws, the command is not executed
     */
    public SetupResult awaitSetup(
            BooleanSupplier cancelled, Function<Supplier<SetupResult>, SetupResult> onFileThread) {
        return standing(bubblewrap.map(run -> run.awaitSetup(cancelled, onFileThread)), mounts);
    }

    /** Returns the result of the start. A failure during a mount or unmount on the host counts as disturbed by it. */
    static SetupResult standing(Optional<SetupResult> reached, Optional<MountGeneration.Mark> mounts) {
        SetupResult standing = reached.orElseGet(SetupResult.Yes::new);
        return standing instanceof SetupResult.Failed(String message)
                        && mounts.filter(MountGeneration.Mark::passed).isPresent()
                ? new SetupResult.Disturbed(message)
                : standing;
    }

    /** Returns the listening sockets in the network of the command, see {@link BwrapRun#takeProxyListeners}. */
    public List<AsyncFd> takeProxyListeners() {
        return bubblewrap.map(BwrapRun::takeProxyListeners).orElse(List.of());
    }

    /** Signals the command's process group; false if there is no process. */
    public boolean signal(int number) {
        return bubblewrap.map(run -> run.signal(number)).orElseGet(() -> child.signalGroup(number));
    }

    /**
     * Returns true if this process belongs to the command, not to bubblewrap, and {@link #signal} does not reach it, because
     * it is in another process group, for example as a job of a shell.
     */
    public boolean unreached(int pid, Stat stat) {
        return bubblewrap.map(run -> run.unreached(pid, stat)).orElseGet(() -> stat.group() != child.pid());
    }

    /** Returns true if this is a process of bubblewrap itself. */
    public boolean isBubblewrap(int pid) {
        return bubblewrap.filter(run -> run.isBubblewrap(pid)).isPresent();
    }

    /** Returns the pid of the command itself; empty before it runs, or if the kernel does not tell. */
    public Optional<Integer> commandPid() {
        return bubblewrap.map(BwrapRun::commandPid).orElseGet(() -> Optional.of(child.pid()));
    }

    /** Returns the exit code of the command. */
    public int exitCode(ExitStatus exit) {
        return bubblewrap.map(run -> run.exitCode(exit, notExecuted)).orElseGet(exit::code);
    }

    /** Waits until no process of the command is left. Call it after the exit. */
    public void awaitGone() {
        bubblewrap.ifPresent(BwrapRun::awaitGone);
    }

    /** Sets an action for {@link #clear} and {@link #close}. The starting thread calls this before the command can end. */
    public void atEnd(Runnable action) {
        atEnd = action;
    }

    /**
     * Restores protected links that the command has changed. Call it after all processes have ended. Touches files.
     *
     * @return the links that were changed
     */
    public List<LinkViolation> restoreLinks() {
        return bubblewrap.map(BwrapRun::restoreLinks).orElse(List.of());
    }

    /** Restores protected links after commands that shared a sandbox, as {@link #restoreLinks} does. Touches files. */
    public static List<LinkViolation> restore(List<CrossedLink> links) {
        return LinkGuard.restore(links);
    }

    /** Removes the files that were made on the host for the command, as far as they were visible there. Touches files. */
    public void clear() {
        atEnd.run();
        bubblewrap.ifPresent(BwrapRun::clear);
    }

    /** Clears the run and closes all that is open. Touches files. */
    @Override
    public void close() {
        clear();
        bubblewrap.ifPresent(BwrapRun::close);
    }
}
