package dev.execserver.server.sandbox;

import dev.execserver.protocol.process.ExecPolicyParams;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.intercept.CallExaminer;
import dev.execserver.sandbox.intercept.Interception;
import dev.execserver.sandbox.intercept.TrustedEnvironment;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.plan.SandboxRefusedException;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.spawn.ProcessMarks;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.access.ProcessTrail;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.exec.ApprovalClient;
import dev.execserver.server.exec.CommandClock;
import dev.execserver.server.exec.CommandExecs;
import dev.execserver.server.exec.ExecInterceptions;
import dev.execserver.server.exec.ExecStyle;
import dev.execserver.server.exec.RememberedAnswers;
import dev.execserver.server.rules.NetworkRules;
import java.util.List;
import java.util.Optional;

/** Rules for the programs of one local command, which stay in its sandbox. Used by the main thread, which may block. */
final class LocalPrograms implements AutoCloseable {
    private static final String ID = "sandbox";

    private final Timers timers = new Timers();
    private final FileWorkers files = new FileWorkers(1, timers);
    private final ExecInterceptions interceptions;
    private final CommandExecs execs;
    private Optional<CommandExecs.OwnProgram> own = Optional.empty();

    /** @throws SandboxRefusedException if the machine cannot intercept programs, or the rules cannot be used */
    LocalPrograms(Poller poller, Spawner spawner, ProcessMarks marks, ExecPolicyParams policy, ApprovalClient client) {
        interceptions = new ExecInterceptions(
                poller,
                spawner,
                marks,
                files,
                new ExecInterceptions.Settings(
                        Optional.empty(), Optional::empty, TrustedEnvironment.standard(), Dialect.OPEN));
        try {
            execs = interceptions.open(
                    ID,
                    Optional.of(policy),
                    client,
                    new CommandClock(),
                    new RememberedAnswers(),
                    new ProcessTrail(AccessLog.OFF, ID, ID),
                    ExecStyle.STANDARD);
        } catch (RpcException e) {
            close();
            throw new SandboxRefusedException(e.message());
        }
    }

    /**
     * Decides about the own program of the command the first time, and checks that it is still that one the next times.
     *
     * @param found path of the program
     * @return the path to execute
     * @throws ProgramNotRunException if it must not run
     */
    byte[] decide(byte[] found, List<String> argv, List<String> environment, byte[] cwd, ResolvedPolicy policy) {
        try {
            if (own.isEmpty()) {
                CommandExecs.OwnProgram judged = execs.judgeOwn(found, argv, environment, cwd, policy);
                boolean _ = judged.decide(); // false: no program leaves this sandbox
                own = Optional.of(judged);
            }
            own.get().requireUnchanged(found);
            return own.get().path();
        } catch (RpcException e) {
            throw ProgramNotRunException.denied(e.message());
        }
    }

    /** Returns the interception for one attempt to start the command. @param connects examines its connects too */
    Interception intercept(ResolvedPolicy policy, Optional<CallExaminer> connects) {
        return execs.intercept(policy, connects).orElseThrow();
    }

    /** Returns the rules about the connections of the command. */
    NetworkRules networkRules() {
        return execs.networkRules();
    }

    @Override
    public void close() {
        interceptions.close();
        files.close();
        timers.close();
    }
}
