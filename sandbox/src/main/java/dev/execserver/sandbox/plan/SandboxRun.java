package dev.execserver.sandbox.plan;

import dev.execserver.sandbox.bwrap.BwrapRun;
import dev.execserver.sandbox.bwrap.BwrapRun.Standing;
import dev.execserver.sandbox.bwrap.LinkGuard;
import dev.execserver.sandbox.linux.MountGeneration;
import dev.execserver.sandbox.linux.ProcFiles.Stat;
import dev.execserver.sandbox.spawn.AsyncFd;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ExitStatus;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/** A command that was started according to a plan. Any thread; closed after the exit. */
public final class SandboxRun implements AutoCloseable {
    private final Child child;
    private final Optional<BwrapRun> bubblewrap;
    private final boolean confines;
    private final Optional<MountGeneration.Mark> mounts;
    private final IntSupplier notExecuted;
    private final Runnable ended;
    private volatile Runnable atEnd = () -> {};

    /**
     * A command in bubblewrap.
     *
     * @param mounts the moment before bubblewrap was started
     * @param notExecuted the exit code when the program could not be executed in its sandbox
     * @param ended is run when nothing of the command is left
     */
    SandboxRun(Child child, BwrapRun bubblewrap, MountGeneration.Mark mounts, IntSupplier notExecuted, Runnable ended) {
        this.ended = ended;
        this.child = child;
        this.bubblewrap = Optional.of(bubblewrap);
        this.confines = true;
        this.mounts = Optional.of(mounts);
        this.notExecuted = notExecuted;
    }

    /** A command that was started without bubblewrap. */
    SandboxRun(Child child, boolean confines, Runnable ended) {
        this.ended = ended;
        this.child = child;
        this.bubblewrap = Optional.empty();
        this.confines = confines;
        this.mounts = Optional.empty();
        this.notExecuted = () -> UnexecutedProgram.NOT_FOUND;
    }

    /** Whether anything keeps the command from doing what it wants. */
    public boolean confines() {
        return confines;
    }

    public Child child() {
        return child;
    }

    /** Waits until the command is being executed, or will not be. */
    public Standing awaitStanding(BooleanSupplier cancelled) {
        return standing(bubblewrap.map(run -> run.awaitStanding(cancelled)), mounts);
    }

    /** A failure may be due to what was mounted or unmounted meanwhile. */
    static Standing standing(Optional<Standing> reached, Optional<MountGeneration.Mark> mounts) {
        Standing standing = reached.orElseGet(Standing.Yes::new);
        return standing instanceof Standing.Failed(String message)
                        && mounts.filter(MountGeneration.Mark::passed).isPresent()
                ? new Standing.Disturbed(message)
                : standing;
    }

    /** The listening sockets that lead out of its network, see {@link BwrapRun#takeDoors}. */
    public List<AsyncFd> takeDoors() {
        return bubblewrap.map(BwrapRun::takeDoors).orElse(List.of());
    }

    /** Signals the command's process group; false when there is nobody. */
    public boolean signal(int number) {
        return bubblewrap.map(run -> run.signal(number)).orElseGet(() -> child.signalGroup(number));
    }

    /**
     * Returns true if this member of the tree belongs to the command, not to bubblewrap, and {@link #signal} does not reach it:
     * it is in a group of its own, a job of a shell for example.
     */
    public boolean unreached(int pid, Stat stat) {
        return bubblewrap.map(run -> run.unreached(pid, stat)).orElseGet(() -> stat.group() != child.pid());
    }

    /** Returns true if this is a process of bubblewrap itself. */
    public boolean isBubblewrap(int pid) {
        return bubblewrap.filter(run -> run.isBubblewrap(pid)).isPresent();
    }

    /** The process of the command itself; empty before it runs, and where the kernel does not tell. */
    public Optional<Integer> commandPid() {
        return bubblewrap.map(BwrapRun::commandPid).orElseGet(() -> Optional.of(child.pid()));
    }

    /** The exit code of the command. */
    public int exitCode(ExitStatus exit) {
        return bubblewrap.map(run -> run.exitCode(exit, notExecuted)).orElseGet(exit::code);
    }

    /** After the exit: waits until nothing of the command runs any more. */
    public void awaitGone() {
        bubblewrap.ifPresent(BwrapRun::awaitGone);
    }

    /** Has this done as well when the run is cleared, and closed. Called before the command can end, by whoever starts it. */
    public void atEnd(Runnable action) {
        atEnd = action;
    }

    /**
     * After everything has gone: puts right what the command has changed although it was protected. Touches files.
     *
     * @return what was not as before
     */
    public List<LinkGuard.Violation> restoreLinks() {
        return bubblewrap.map(BwrapRun::restoreLinks).orElse(List.of());
    }

    /** Takes away what was made for it on the host, as far as anybody could see it. Touches files. */
    public void clear() {
        atEnd.run();
        bubblewrap.ifPresent(BwrapRun::clear);
    }

    /** The same, and lets go of all that is open. Touches files. */
    @Override
    public void close() {
        clear();
        bubblewrap.ifPresent(BwrapRun::close);
        ended.run();
    }
}
