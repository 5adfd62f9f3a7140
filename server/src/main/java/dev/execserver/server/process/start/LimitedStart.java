package dev.execserver.server.process.start;

import dev.execserver.protocol.process.ResourceLimits;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.limits.CommandLimits;
import dev.execserver.sandbox.limits.LimitRefusedException;
import dev.execserver.server.process.ManagedProcess;
import dev.execserver.server.process.ProcessServices;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;

/** The resource limits of one start, if it has any. Used by the request's thread, or by a file worker for it. */
final class LimitedStart {

    private final Consumer<Runnable> files;
    private final Optional<CommandLimits> limits;

    /** @param files runs work that touches files */
    private LimitedStart(Consumer<Runnable> files, Optional<CommandLimits> limits) {
        this.files = files;
        this.limits = limits;
    }

    /**
     * Prepares the limits. Called by the request's thread.
     *
     * @throws RpcException -32602 with {@code data.reason = "limits"} when a limit cannot be enforced
     */
    static LimitedStart prepare(ProcessServices services, ManagedProcess process) {
        return new LimitedStart(
                services.files()::release,
                process.params()
                        .options()
                        .limits()
                        .map(wanted -> services.files().call(() -> make(services, process, wanted, false))));
    }

    /**
     * Prepares the limits like {@link #prepare}, for a caller that is a file worker.
     *
     * @param bubblewrapped true if bubblewrap's processes surround the command
     */
    static LimitedStart prepareOnWorker(ProcessServices services, ManagedProcess process, boolean bubblewrapped) {
        return new LimitedStart(
                Runnable::run,
                process.params().options().limits().map(wanted -> make(services, process, wanted, bubblewrapped)));
    }

    private static CommandLimits make(
            ProcessServices services, ManagedProcess process, ResourceLimits wanted, boolean bubblewrapped) {
        if (process.params().arg0().isPresent() && !bubblewrapped) {
            throw refused(
                    "a command with limits is started by a shell, which cannot give it another name; leave out arg0");
        }
        try {
            return CommandLimits.prepare(
                    wanted, bubblewrapped, services.spawning().groups(), process.group());
        } catch (LimitRefusedException e) {
            throw refused(e.getMessage());
        }
    }

    /** Runs a step of the start. If it fails, removes the limits. */
    <T> T start(Function<Optional<IntConsumer>, T> starter) {
        try {
            return starter.apply(limits.map(made -> made::apply));
        } catch (LimitRefusedException e) {
            giveUp();
            throw refused(e.getMessage());
        } catch (RuntimeException e) {
            giveUp();
            throw e;
        }
    }

    /** The prepared limits, for the exit watcher. */
    Optional<CommandLimits> limits() {
        return limits;
    }

    /** Removes the limits, because nothing was started or nothing of it is left. */
    void giveUp() {
        limits.ifPresent(made -> files.accept(made::close));
    }

    private static RpcException refused(String why) {
        return RpcException.invalidParams(why).withData("reason", "limits");
    }
}
