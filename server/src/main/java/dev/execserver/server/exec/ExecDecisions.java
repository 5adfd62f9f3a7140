package dev.execserver.server.exec;

import dev.execserver.protocol.process.ExecApprovalAnswer.Decision;
import dev.execserver.sandbox.intercept.EscalatedStart;
import dev.execserver.sandbox.intercept.EscalationRefusedException;
import dev.execserver.sandbox.intercept.ExecDecision;
import dev.execserver.sandbox.intercept.ExecPolicy;
import dev.execserver.sandbox.intercept.ExecRequest;
import dev.execserver.sandbox.intercept.TrustedEnvironment;
import dev.execserver.sandbox.spawn.ExitStatus;
import dev.execserver.server.exec.ExecReports.Outcome;
import dev.execserver.server.rules.RuleDecision;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Decides about the programs of one command by its rules, and asks its client where they say so.
 *
 * <p>Workers judge, virtual threads ask. The maps can be used by all of them and hold only execs that wait in the kernel.
 */
final class ExecDecisions implements ExecPolicy {
    private final CommandRules rules;
    private final WritableFolders folders;
    private final Approvals approvals;
    private final ExecReports reports;
    private final Optional<EscalatedStart> escalation;
    private final TrustedEnvironment environment;
    private final DenialForm denials;
    private final AtomicLong execs;
    private final Map<ExecRequest, Looked> asked = new ConcurrentHashMap<>();
    /** Numbers of escalated execs. Weak, because one that could not begin has no end. */
    private final Map<ExecRequest, Long> escalated = Collections.synchronizedMap(new WeakHashMap<>());

    /**
     * Makes the decisions of one start.
     *
     * @param escalation starts programs outside of the sandbox; empty if the operator's floor forbids that
     * @param environment variables of a program that runs outside
     * @param denials form of refusals
     * @param execs number of the last exec of the command
     */
    ExecDecisions(
            CommandRules rules,
            WritableFolders folders,
            Approvals approvals,
            ExecReports reports,
            Optional<EscalatedStart> escalation,
            TrustedEnvironment environment,
            DenialForm denials,
            AtomicLong execs) {
        this.rules = rules;
        this.folders = folders;
        this.approvals = approvals;
        this.reports = reports;
        this.escalation = escalation;
        this.environment = environment;
        this.denials = denials;
        this.execs = execs;
    }

    /**
     * A program that was judged.
     *
     * @param obstacle reason why it must not leave the sandbox; looked for only where the judgement could let it
     */
    record Looked(Judgement judgement, Optional<String> obstacle) {}

    /** Judges a program. Touches files. */
    Looked judge(AskedProgram program) {
        Judgement judgement = rules.judge(program, folders);
        boolean mayLeave = judgement.decision() == RuleDecision.PROMPT || judgement.escalates();
        return new Looked(judgement, mayLeave ? folders.obstacle(program) : Optional.empty());
    }

    /** Decides about the command's own program; may wait for the client. */
    Outcome decideOwn(AskedProgram own, Looked looked) {
        long id = execs.incrementAndGet();
        Judgement judgement = looked.judgement();
        Outcome outcome = bounded(
                own,
                looked,
                settled(own, judgement).orElseGet(() -> approvals.ask(id, own, folders.sandboxed(), judgement)));
        reports.decided(id, own, outcome);
        return outcome;
    }

    /**
     * Checks right before a start that a program is still the one that was decided about. Touches files.
     *
     * @param leaves true if it leaves the sandbox
     * @return the reason why it must not start
     */
    Optional<String> lastLook(AskedProgram program, boolean leaves) {
        return program.unchanged()
                ? Optional.of(program).filter(_ -> leaves).flatMap(folders::obstacle)
                : Optional.of("it was exchanged after the decision");
    }

    @Override
    public Optional<ExecDecision> atHand(ExecRequest request) {
        AskedProgram program = AskedProgram.of(request);
        Looked looked = judge(program);
        Optional<Outcome> outcome = settled(program, looked.judgement());
        if (outcome.isEmpty()) {
            asked.put(request, looked);
        }
        return outcome.map(known -> carriedOut(request, program, looked, execs.incrementAndGet(), known));
    }

    @Override
    public ExecDecision decide(ExecRequest request) {
        AskedProgram program = AskedProgram.of(request);
        Looked looked = asked.remove(request);
        long id = execs.incrementAndGet();
        Outcome outcome = approvals.ask(id, program, folders.sandboxed(), looked.judgement());
        return carriedOut(request, program, looked, id, outcome);
    }

    /** Returns the outcome, if it takes no question. */
    private Optional<Outcome> settled(AskedProgram program, Judgement judgement) {
        String by = judgement.by();
        return switch (judgement.decision()) {
            case ALLOW ->
                Optional.of(new Outcome(
                        judgement.escalates() ? Decision.ESCALATE : Decision.RUN, by, judgement.rule(), ""));
            case FORBIDDEN ->
                Optional.of(new Outcome(
                        Decision.DENY, by, judgement.rule(), denials.words(program, denials.forbidden(judgement))));
            case PROMPT -> approvals.remembered(program, folders.sandboxed(), judgement);
        };
    }

    /** Returns the outcome that the operator's floor and the files outside of the sandbox leave. */
    private Outcome bounded(AskedProgram program, Looked looked, Outcome outcome) {
        if (outcome.decision() != Decision.ESCALATE) {
            return outcome;
        }
        if (escalation.isEmpty()) {
            return denied(outcome, ExecReports.BY_FLOOR, program, "the operator lets no program leave its sandbox");
        }
        if (!program.onHost()) {
            return denied(outcome, outcome.by(), program, "outside of the sandbox this is another file, or none");
        }
        return looked.obstacle()
                .map(why -> denied(outcome, outcome.by(), program, why))
                .orElse(outcome);
    }

    private Outcome denied(Outcome outcome, String by, AskedProgram program, String why) {
        return new Outcome(Decision.DENY, by, outcome.approver(), outcome.rule(), denials.words(program, why));
    }

    private ExecDecision carriedOut(ExecRequest request, AskedProgram program, Looked looked, long id, Outcome wanted) {
        Outcome outcome = bounded(program, looked, wanted);
        reports.decided(id, program, outcome);
        return switch (outcome.decision()) {
            case RUN -> new ExecDecision.RunVerified();
            case DENY -> new ExecDecision.Exit(denials.exitCode(), outcome.words());
            case ESCALATE -> {
                escalated.put(request, id);
                yield new ExecDecision.Escalate(environment, escalation.orElseThrow(), () -> requireUnchanged(program));
            }
        };
    }

    private void requireUnchanged(AskedProgram program) {
        lastLook(program, true).ifPresent(why -> {
            throw new EscalationRefusedException(program.text() + ": " + why);
        });
    }

    @Override
    public void exchanged(ExecRequest request) {
        AskedProgram program = AskedProgram.of(request);
        String words = denials.words(program, "it was exchanged after the decision");
        reports.decided(
                execs.incrementAndGet(),
                program,
                new Outcome(Decision.DENY, ExecReports.BY_CHANGED, Optional.empty(), words));
    }

    @Override
    public void ended(ExecRequest request, ExitStatus status) {
        Optional.ofNullable(escalated.remove(request)).ifPresent(id -> reports.ended(id, status.code()));
    }
}
