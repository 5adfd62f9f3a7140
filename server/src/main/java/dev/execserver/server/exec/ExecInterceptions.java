package dev.execserver.server.exec;

import dev.execserver.protocol.process.ExecPolicyParams;
import dev.execserver.protocol.process.ExecPolicyParams.Allowed;
import dev.execserver.protocol.process.PrefixRuleParams;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.sandbox.intercept.CallExaminer;
import dev.execserver.sandbox.intercept.EscalatedStart;
import dev.execserver.sandbox.intercept.ExecSupervisor;
import dev.execserver.sandbox.intercept.InterceptProbe;
import dev.execserver.sandbox.intercept.InterceptProbe.Obstacle;
import dev.execserver.sandbox.intercept.Interception;
import dev.execserver.sandbox.intercept.TrustedEnvironment;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.peer.ServerProcess;
import dev.execserver.sandbox.probe.Finding;
import dev.execserver.sandbox.probe.Finding.Layer;
import dev.execserver.sandbox.probe.Finding.Status;
import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.sandbox.spawn.ProcessMarks;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.server.access.ProcessTrail;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.exec.wrapper.EscalationSocket;
import dev.execserver.server.exec.wrapper.WrapperServices;
import dev.execserver.server.rules.RuleFileException;
import dev.execserver.server.rules.RuleFiles;
import dev.execserver.server.rules.RuleSet;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Intercepts the programs of commands that have rules. The machine is tried once, when it is needed first; a failed trial is
 * repeated after a while, because a busy machine can be the reason. With rules of the operator that is at the start; without any
 * rules nothing of this runs.
 *
 * <p>Request threads enter; {@code lock} guards the supervisor and the result of the trial, and is held during the trial.
 */
public final class ExecInterceptions implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ExecInterceptions.class);

    /** Characters of all rules of one start; the interpreter has its own bounds of time. */
    static final long MAX_CHARACTERS = 1_000_000;

    /** Texts of one start: each may take the time that the interpreter allows. */
    static final int MAX_TEXTS = 16;

    private static final Obstacle OTHER_MACHINE =
            new Obstacle("there are no filters for this machine", "It takes x86-64 or arm64.");
    private static final String INLINE = "prefixRules";
    private static final Duration TRIAL_LIMIT = Duration.ofSeconds(10);
    private static final long REPEAT_NANOS = Duration.ofMinutes(1).toNanos();

    private final ReentrantLock lock = new ReentrantLock();
    private final Poller poller;
    private final Spawner spawner;
    private final ProcessMarks marks;
    private final FileWorkers files;
    private final Settings settings;
    private volatile Optional<ExecSupervisor> supervisor = Optional.empty();
    private final WrapperServices wrappers;
    private final InterpretedRules known = new InterpretedRules();
    private Optional<Trial> trial = Optional.empty();
    private boolean closed;

    /**
     * Settings of the operator.
     *
     * @param rules hold for every command, as they are now; empty if there are none
     * @param escalation makes the start of programs that leave their sandbox, for the client of the thread; empty if the
     *     operator lets none do so
     * @param environment variables that such a program gets
     * @param dialect strict clients cannot be asked
     */
    public record Settings(
            Optional<Supplier<RuleSet>> rules,
            Supplier<Optional<EscalatedStart>> escalation,
            TrustedEnvironment environment,
            Dialect dialect) {}

    private record Trial(Optional<Obstacle> obstacle, long atNanos) {
        boolean over() {
            return obstacle.isPresent() && System.nanoTime() - atNanos > REPEAT_NANOS;
        }
    }

    /** @param files workers that interpret rules */
    public ExecInterceptions(Poller poller, Spawner spawner, ProcessMarks marks, FileWorkers files, Settings settings) {
        this.poller = poller;
        this.spawner = spawner;
        this.marks = marks;
        this.files = files;
        this.wrappers = new WrapperServices(poller, files);
        this.settings = settings;
        if (settings.rules().isPresent()) {
            Threads.virtual("exec-trial", this::warn);
        }
    }

    /** Tells the operator at the start that no command will run. */
    private void warn() {
        obstacle()
                .ifPresent(obstacle -> LOG.warn(
                        "every start of a command is refused, because the rules of --exec-rules cannot be enforced: {}. {}",
                        obstacle.reason(),
                        obstacle.remedy()));
    }

    /** Returns true if a start with this policy is intercepted. */
    public boolean wanted(Optional<ExecPolicyParams> policy) {
        return policy.isPresent() || settings.rules().isPresent();
    }

    /**
     * Opens the interception of a command. Waits for the trial of the machine and for a file worker that interprets the rules.
     *
     * @param trail gets the decisions that are not plain permissions
     * @param style with a wrapper, and a machine that cannot intercept programs, it is asked about those of the wrapper alone
     * @throws dev.execserver.protocol.rpc.RpcException -32602 with {@code data.reason = "execPolicy"} if the rules cannot be
     *     used or this machine cannot enforce them
     */
    public CommandExecs open(
            String processId,
            Optional<ExecPolicyParams> wanted,
            ApprovalClient client,
            CommandClock clock,
            RememberedAnswers ofSession,
            ProcessTrail trail,
            ExecStyle style) {
        ExecPolicyParams policy = wanted.orElse(ExecPolicyParams.NONE);
        Duration limit = limit(policy);
        CommandRules rules = new CommandRules(
                settings.rules().orElse(() -> RuleSet.EMPTY),
                // Only texts take time: an interpreter runs them.
                policy.rules().isEmpty() ? rules(policy) : interpreted(policy),
                CommandRules.decision(policy.fallback()),
                policy.heuristics(),
                policy.allowed() == Allowed.ESCALATE,
                style.wholePaths());
        Optional<Obstacle> found = obstacle();
        boolean wrapperAlone = found.isPresent()
                && style.wrapper().isPresent()
                && settings.rules().isEmpty();
        found.filter(_ -> !wrapperAlone).ifPresent(obstacle -> {
            throw CommandExecs.refused(
                    "programs cannot be intercepted on this machine: " + obstacle.reason() + ". " + obstacle.remedy());
        });
        return new CommandExecs(
                supervisor.filter(_ -> !wrapperAlone),
                style.wrapper().map(program -> EscalationSocket.open(wrappers, program)),
                settings.escalation().get(),
                settings.environment(),
                rules,
                style.denials(),
                settings.rules().isPresent(),
                new Approvals(processId, client, settings.dialect().open(), limit, clock, ofSession, style.denials()),
                new ExecReports(processId, policy.report(), client, trail));
    }

    private static Duration limit(ExecPolicyParams policy) {
        long ms = policy.promptTimeoutMs().orElse(ExecPolicyParams.DEFAULT_PROMPT_TIMEOUT_MS);
        if (ms < 1 || ms > ExecPolicyParams.MAX_PROMPT_TIMEOUT_MS) {
            throw CommandExecs.refused(
                    "execPolicy.promptTimeoutMs must be 1 to " + ExecPolicyParams.MAX_PROMPT_TIMEOUT_MS);
        }
        return Duration.ofMillis(ms);
    }

    /** Returns the rules of the policy. A client mostly sends the same ones with each start. */
    private RuleSet interpreted(ExecPolicyParams policy) {
        return known.find(policy).orElseGet(() -> {
            RuleSet made = files.callLong(() -> rules(policy));
            known.add(policy, made);
            return made;
        });
    }

    private static RuleSet rules(ExecPolicyParams policy) {
        if (policy.characters() > MAX_CHARACTERS || policy.rules().size() > MAX_TEXTS) {
            throw CommandExecs.refused(
                    "execPolicy has more than " + MAX_TEXTS + " texts or " + MAX_CHARACTERS + " characters of rules");
        }
        RuleFiles made = new RuleFiles();
        try {
            policy.rules().forEach(text -> made.add(text.name(), text.text()));
            int line = 0;
            for (PrefixRuleParams rule : policy.prefixRules()) {
                made.addPrefix(
                        INLINE,
                        ++line,
                        rule.pattern(),
                        rule.decision(),
                        rule.justification(),
                        rule.canonicalMatching());
            }
        } catch (RuleFileException e) {
            throw CommandExecs.refused(e.getMessage());
        }
        return made.rules();
    }

    /** Returns the reason why programs cannot be intercepted here; empty if they can. Waits for a trial, at most once. */
    public Optional<Obstacle> obstacle() {
        lock.lock();
        try {
            if (trial.filter(done -> !done.over()).isEmpty()) {
                trial = Optional.of(new Trial(attempt(), System.nanoTime()));
            }
            return trial.get().obstacle();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the interception for a command without rules whose connections are examined. Call it when there is no obstacle. */
    public Interception interceptConnects(CallExaminer connects) {
        return supervisor.orElseThrow().intercept(Optional.empty(), Optional.of(connects));
    }

    private Optional<Obstacle> attempt() {
        if (closed) {
            return Optional.of(new Obstacle("the server stops", ""));
        }
        Optional<Machine> machine = Machine.current();
        if (machine.isEmpty()) {
            return Optional.of(OTHER_MACHINE);
        }
        try {
            ServerProcess.announce();
        } catch (IOException e) {
            return Optional.of(
                    new Obstacle("other servers cannot learn that this process is one: " + e, "mount /proc writable"));
        }
        if (supervisor.isEmpty()) {
            supervisor = Optional.of(new ExecSupervisor(poller, machine.get()));
        }
        return new InterceptProbe(supervisor.get(), spawner, marks, TRIAL_LIMIT).attempt();
    }

    /** Returns the result of a trial for people. Waits for it, at most once. */
    public Finding finding() {
        return finding(obstacle());
    }

    /** Tries the machine where no server runs. */
    public static Finding tryOnce(Poller poller, Spawner spawner, ProcessMarks marks) {
        Optional<Machine> machine = Machine.current();
        if (machine.isEmpty()) {
            return finding(Optional.of(OTHER_MACHINE));
        }
        try (ExecSupervisor supervisor = new ExecSupervisor(poller, machine.get())) {
            return finding(new InterceptProbe(supervisor, spawner, marks, TRIAL_LIMIT).attempt());
        }
    }

    private static Finding finding(Optional<Obstacle> obstacle) {
        return obstacle.map(found -> new Finding(
                        Layer.EXEC_INTERCEPTION,
                        Status.MISSING,
                        found.reason(),
                        "Rules for programs (execPolicy, --exec-rules) cannot be enforced: a start with them is refused.",
                        found.remedy()))
                .orElseGet(() -> new Finding(
                        Layer.EXEC_INTERCEPTION, Status.OK, "works", "Rules for programs can be enforced.", ""));
    }

    @Override
    public void close() {
        Optional<ExecSupervisor> open;
        lock.lock();
        try {
            closed = true;
            open = supervisor;
        } finally {
            lock.unlock();
        }
        wrappers.close();
        open.ifPresent(ExecSupervisor::close);
    }
}
