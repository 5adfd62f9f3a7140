package dev.execserver.cli.client;

import dev.execserver.cli.rules.ApprovalDialogue;
import dev.execserver.client.exec.ExecApprovals;
import dev.execserver.protocol.process.ExecApprovalAnswer;
import dev.execserver.protocol.process.ExecApprovalRequest;
import dev.execserver.protocol.process.ExecReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Asks on the terminal about programs that rules ask about. Without a terminal nothing is asked, and the programs are denied.
 * While a question is open, what is typed answers it and does not reach the program.
 *
 * <p>A thread of the client for each question; {@code turn} lets one ask at a time. Before {@link #forwarded} the asking thread
 * reads the terminal itself, later it gets what the thread has read that forwards the input.
 */
final class ExecPrompt implements ExecApprovals {
    private static final Duration LIMIT = Duration.ofHours(24);
    private static final int LINE_BYTES = 1024;

    private final ReentrantLock turn = new ReentrantLock();
    private final LocalTerminal local;
    private final Consumer<ExecReport> reports;
    private final boolean terminal;
    private final BlockingQueue<String> typed = new LinkedBlockingQueue<>();
    private volatile boolean open;
    private volatile boolean forwarded;

    /** @param reports gets what was decided */
    ExecPrompt(LocalTerminal local, Consumer<ExecReport> reports) {
        this.local = local;
        this.reports = reports;
        this.terminal = local.inputIsTerminal();
    }

    /** Tells that another thread reads the terminal from now on. Waits for a question that was begun before. */
    void forwarded() {
        turn.lock();
        try {
            forwarded = true;
        } finally {
            turn.unlock();
        }
    }

    /** Takes what was typed if a question is open. Returns false if it is for the program. */
    boolean takes(byte[] buffer, int length) {
        boolean taken = open;
        if (taken) {
            typed.add(new String(buffer, 0, length, StandardCharsets.ISO_8859_1));
        }
        return taken;
    }

    @Override
    public void reported(ExecReport report) {
        reports.accept(report);
    }

    @Override
    public ExecApprovalAnswer decide(ExecApprovalRequest question) {
        if (!terminal) {
            return ApprovalDialogue.noTerminal();
        }
        turn.lock();
        try {
            typed.clear();
            open = true;
            return ask(question);
        } catch (IOException e) {
            return ApprovalDialogue.denied("the terminal cannot be used: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ApprovalDialogue.denied("the question was given up");
        } finally {
            open = false;
            turn.unlock();
        }
    }

    private ExecApprovalAnswer ask(ExecApprovalRequest question) throws IOException, InterruptedException {
        String words = ApprovalDialogue.question(question);
        while (true) {
            write(words);
            Optional<String> answer = read();
            if (answer.isEmpty()) {
                return ApprovalDialogue.denied("nobody has answered");
            }
            // A raw terminal shows nothing of what is typed, and moves no line.
            write("\r\n");
            Optional<ExecApprovalAnswer> understood = ApprovalDialogue.answer(answer.get());
            if (understood.isPresent()) {
                return understood.get();
            }
        }
    }

    private void write(String text) throws IOException {
        local.errors().write(text.getBytes(StandardCharsets.UTF_8));
        local.errors().flush();
    }

    /** Returns what was typed; empty at the end of the input, or if nobody types. */
    private Optional<String> read() throws IOException, InterruptedException {
        if (forwarded) {
            return Optional.ofNullable(typed.poll(LIMIT.toMillis(), TimeUnit.MILLISECONDS));
        }
        byte[] line = new byte[LINE_BYTES];
        int length = local.input().read(line);
        return length < 0 ? Optional.empty() : Optional.of(new String(line, 0, length, StandardCharsets.ISO_8859_1));
    }
}
