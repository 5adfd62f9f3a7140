package dev.execserver.server.exec;

import dev.execserver.protocol.process.ExecApprovalAnswer.Decision;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.intercept.CallExaminer;
import dev.execserver.sandbox.intercept.EscalatedStart;
import dev.execserver.sandbox.intercept.EscalationRefusedException;
import dev.execserver.sandbox.intercept.ExecSupervisor;
import dev.execserver.sandbox.intercept.Interception;
import dev.execserver.sandbox.intercept.TrustedEnvironment;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.server.exec.ExecReports.Outcome;
import dev.execserver.server.exec.wrapper.EscalationSocket;
import dev.execserver.server.rules.NetworkRules;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The interception of one command from before its start. The command's own program is decided first, by {@link #judgeOwn} and
 * {@link OwnProgram#decide}; then each attempt to start takes an {@link Interception}. Used by the request, or by a file worker
 * for it.
 */
public final class CommandExecs {
    private final Optional<ExecSupervisor> supervisor;
    private final Optional<EscalationSocket> wrapper;
    private final Optional<EscalatedStart> escalation;
    private final TrustedEnvironment environment;
    private final CommandRules rules;
    private final DenialForm denials;
    private final boolean operatorRules;
    private final Approvals approvals;
    private final ExecReports reports;
    private final AtomicLong execs = new AtomicLong();

    CommandExecs(
            Optional<ExecSupervisor> supervisor,
            Optional<EscalationSocket> wrapper,
            Optional<EscalatedStart> escalation,
            TrustedEnvironment environment,
            CommandRules rules,
            DenialForm denials,
            boolean operatorRules,
            Approvals approvals,
            ExecReports reports) {
        this.supervisor = supervisor;
        this.wrapper = wrapper;
        this.escalation = escalation;
        this.environment = environment;
        this.rules = rules;
        this.denials = denials;
        this.operatorRules = operatorRules;
        this.approvals = approvals;
        this.reports = reports;
    }

    /** Returns an estimate of the heap bytes of the client's rules, which are kept as long as the command runs. */
    public long bytes() {
        return rules.client().bytes();
    }

    /** Returns the rules about the connections of the command; the operator's allow nothing that the client does not. */
    public NetworkRules networkRules() {
        return rules.network();
    }

    /** The command's own program, judged but not decided. Used by one thread at a time. */
    public static final class OwnProgram {
        private final byte[] found;
        private final AskedProgram program;
        private final ExecDecisions decisions;
        private final ExecDecisions.Looked looked;
        private boolean leaves;

        private OwnProgram(byte[] found, AskedProgram program, ExecDecisions decisions) {
            this.found = found;
            this.program = program;
            this.decisions = decisions;
            this.looked = decisions.judge(program);
        }

        /** Returns the path to execute: that of the file, so that no link on the way can lead elsewhere by then. */
        public byte[] path() {
            return program.path().clone();
        }

        /**
         * Decides; may wait for the client. Touches no files.
         *
         * @return true if the command runs outside of its sandbox
         * @throws RpcException -32602 with {@code data.reason = "execPolicy"} if it must not run
         */
        public boolean decide() {
            Outcome outcome = decisions.decideOwn(program, looked);
            if (outcome.decision() == Decision.DENY) {
                throw refused(outcome.words());
            }
            leaves = outcome.decision() == Decision.ESCALATE;
            return leaves;
        }

        /**
         * Checks right before the start that the file is the one that was decided about. Touches files.
         *
         * @throws RpcException if it is not
         */
        public void requireUnchanged() {
            decisions.lastLook(program, leaves).ifPresent(why -> {
                throw refused(DenialForm.FULL.words(program, why));
            });
        }

        /**
         * Checks that a later look has found the same path, and that the file is unchanged. Touches files.
         *
         * @throws RpcException if not
         */
        public void requireUnchanged(byte[] foundAgain) {
            if (!Arrays.equals(found, foundAgain)) {
                throw refused(DenialForm.FULL.words(program, "it was exchanged after the decision"));
            }
            requireUnchanged();
        }
    }

    /**
     * Judges the command's own program. Touches files.
     *
     * @param found path of the program
     * @param environment of the command, as {@code NAME=value}
     * @param policy of its sandbox
     * @throws RpcException if there is no such program for the command
     */
    public OwnProgram judgeOwn(
            byte[] found, List<String> argv, List<String> environment, byte[] cwd, ResolvedPolicy policy) {
        AskedProgram program;
        try {
            program = AskedProgram.own(found, argv, environment, cwd);
        } catch (LinuxException e) {
            throw refused("the program `%s` cannot be decided about: %s"
                    .formatted(new String(found, StandardCharsets.UTF_8), Errno.text(e.errno())));
        }
        return new OwnProgram(found.clone(), program, decisions(policy));
    }

    /**
     * Returns the interception for one attempt to start the command in a sandbox with this policy; empty if only a wrapper tells of
     * its programs.
     *
     * @param connects examines connections
     */
    public Optional<Interception> intercept(ResolvedPolicy policy, Optional<CallExaminer> connects) {
        wrapper.ifPresent(socket -> socket.decidedBy(decisions(wrapperRules(), policy)));
        return supervisor.map(open -> open.intercept(Optional.of(decisions(policy)), connects));
    }

    /** Returns the rules for a wrapper. About command lines the interception asks, where there is one, because the program comes there too. */
    private CommandRules wrapperRules() {
        return supervisor.isPresent() ? rules.withoutHeuristics() : rules;
    }

    /** Returns the socket that the command must inherit, if its shell runs a wrapper. */
    public Optional<EscalationSocket> wrapper() {
        return wrapper;
    }

    /** Returns the interception for a command that runs outside of its sandbox: the operator's rules hold there too. */
    public Optional<Interception> interceptEscalated() {
        return operatorRules ? Optional.of(supervisor.orElseThrow().intercept(operatorDecisions())) : Optional.empty();
    }

    private ExecDecisions decisions(ResolvedPolicy policy) {
        return decisions(rules, policy);
    }

    private ExecDecisions decisions(CommandRules used, ResolvedPolicy policy) {
        return new ExecDecisions(
                used,
                new WritableFolders(policy),
                approvals,
                reports,
                escalation.map(this::bounded),
                environment,
                denials,
                execs);
    }

    private ExecDecisions operatorDecisions() {
        return new ExecDecisions(
                CommandRules.ofOperator(rules.operator()),
                new WritableFolders(ResolvedPolicy.UNSANDBOXED),
                approvals,
                reports,
                escalation.map(this::bounded),
                environment,
                denials,
                execs);
    }

    /** Returns a start under the operator's rules, if there are any. */
    private EscalatedStart bounded(EscalatedStart start) {
        if (!operatorRules) {
            return start;
        }
        return (stage, directory) -> {
            Interception interception = supervisor.orElseThrow().intercept(operatorDecisions());
            interception.alsoExecuted(); // the stage that becomes the program
            try {
                return start.start(stage.restrictedBy(interception), directory);
            } catch (LinuxException | EscalationRefusedException e) {
                interception.close();
                throw e;
            }
        };
    }

    static RpcException refused(String why) {
        return RpcException.invalidParams(why).withData("reason", "execPolicy");
    }
}
