package dev.execserver.server.cli;

import dev.execserver.cli.rules.ApprovalDialogue;
import dev.execserver.protocol.process.ExecApprovalAnswer;
import dev.execserver.protocol.process.ExecApprovalRequest;
import dev.execserver.protocol.process.ExecReport;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.sandbox.io.BorrowedTerminal;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.linux.SignalCalls;
import dev.execserver.sandbox.linux.TerminalCalls;
import dev.execserver.server.exec.ApprovalClient;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Asks on the terminal that this program shares with a command. Without a terminal on standard input nothing is asked, and the
 * programs are denied. Virtual threads of the interception ask; {@code turn} lets one of them have the terminal at a time.
 */
public final class TerminalApprovals implements ApprovalClient {
    private final ReentrantLock turn = new ReentrantLock();
    private final boolean terminal = TerminalCalls.isTerminal(0);
    private final Consumer<ExecReport> reports;

    /** @param reports gets what was decided */
    public TerminalApprovals(Consumer<ExecReport> reports) {
        this.reports = reports;
        if (terminal) {
            SignalCalls.ignore(ProcessCalls.SIGTTIN);
            SignalCalls.ignore(ProcessCalls.SIGTTOU);
        }
    }

    @Override
    public Optional<Reply> ask(ExecApprovalRequest question, boolean own, Duration limit) throws InterruptedException {
        if (!terminal) {
            return Optional.of(Reply.ofClient(ApprovalDialogue.noTerminal()));
        }
        long deadline = System.nanoTime() + limit.toNanos();
        if (!turn.tryLock(limit.toNanos(), TimeUnit.NANOSECONDS)) {
            return Optional.empty();
        }
        try (Poller poller = new Poller();
                BorrowedTerminal borrowed =
                        BorrowedTerminal.take(poller, question.executed().pid())) {
            return ask(borrowed, question, deadline).map(Reply::ofClient);
        } catch (LinuxException e) {
            return Optional.of(
                    Reply.ofClient(ApprovalDialogue.denied("the terminal cannot be used: " + e.getMessage())));
        } finally {
            turn.unlock();
        }
    }

    private static Optional<ExecApprovalAnswer> ask(
            BorrowedTerminal terminal, ExecApprovalRequest question, long deadline) throws InterruptedException {
        while (true) {
            terminal.write(ApprovalDialogue.question(question));
            Optional<String> key = terminal.key(deadline);
            terminal.write("\r\n");
            if (key.isEmpty()) {
                return Optional.empty();
            }
            Optional<ExecApprovalAnswer> answer = ApprovalDialogue.answer(key.get());
            if (answer.isPresent()) {
                return answer;
            }
        }
    }

    @Override
    public void report(String method, JsonWritable params) {
        if (params instanceof ExecReport report) {
            reports.accept(report);
        }
    }
}
