package dev.execserver.server.process;

import dev.execserver.protocol.process.ResourceLimits;
import dev.execserver.protocol.process.StartParams;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.limits.CommandLimits;
import dev.execserver.sandbox.limits.LimitRefusedException;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntConsumer;

/** The limits of one start, if it has any. Runs on the request's thread; files are touched on file workers. */
final class LimitedStart {

    private final ProcessServices services;
    private final Optional<CommandLimits> limits;

    private LimitedStart(ProcessServices services, Optional<CommandLimits> limits) {
        this.services = services;
        this.limits = limits;
    }

    /**
     * Makes what the limits need.
     *
     * @param bubblewrapped whether the command gets processes of a sandbox around it
     * @throws RpcException -32602 with {@code data.reason = "limits"} when one cannot be enforced
     */
    static LimitedStart prepare(ProcessServices services, StartParams params, boolean bubblewrapped) {
        Optional<ResourceLimits> wanted = params.options().limits();
        if (wanted.isPresent() && params.arg0().isPresent() && !bubblewrapped) {
            throw refused(
                    "a command with limits is started by a shell, which cannot give it another name; leave out arg0");
        }
        return new LimitedStart(
                services,
                wanted.map(given -> services.files().call(() -> {
                    try {
                        return CommandLimits.prepare(given, bubblewrapped, services.groups());
                    } catch (LimitRefusedException e) {
                        throw refused(e.getMessage());
                    }
                })));
    }

    /** A step of the start; one that fails takes the limits away. */
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

    /** What has been made, for whoever waits for the exit. */
    Optional<CommandLimits> limits() {
        return limits;
    }

    /** Nothing was started, or nothing of it is left. */
    void giveUp() {
        limits.ifPresent(made -> services.files().call(() -> {
            made.close();
            return true;
        }));
    }

    private static RpcException refused(String why) {
        return RpcException.invalidParams(why).withData("reason", "limits");
    }
}
