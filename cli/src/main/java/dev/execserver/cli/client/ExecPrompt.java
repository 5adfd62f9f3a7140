package dev.execserver.cli.client;

import dev.execserver.cli.rules.ApprovalDialogue;
import dev.execserver.client.exec.ExecApprovals;
import dev.execserver.protocol.process.ExecApprovalAnswer;
import dev.execserver.protocol.process.ExecApprovalClosedNotification;
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
 * While a question is open, what is typed answers it and does not reach the program. A question that somebody else has answered, or
 * whose time is over, is taken away.
 *
 * <p>A thread of the client for each question; {@code turn} lets one ask at a time. Before {@link #forwarded} the asking thread
 * reads the terminal itself, later it gets what the thread has read that forwards the input.
 */
final class ExecPrompt implements ExecApprovals {
    private static final Duration LIMIT = Duration.ofHours(24);
    private static final int LINE_BYTES = 1024;

    /** Pause between checks if something was typed or the question was closed. */
    private static final Duration LOOK = Duration.ofMillis(50);

    private final ReentrantLock turn = new ReentrantLock();
    private final LocalTerminal local;
    private final Consumer<ExecReport> reports;
    private final boolean terminal;
    private final BlockingQueue<String> typed = new LinkedBlockingQueue<>();
    private final OpenQuestions questions = new OpenQuestions();

    /** Question that is shown and answered by what is typed. */
    private volatile Optional<OpenQuestions.Open> shown = Optional.empty();

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
        boolean taken = shown.filter(question -> question.closedBy().isEmpty()).isPresent();
        if (taken) {
            typed.add(new String(buffer, 0, length, StandardCharsets.ISO_8859_1));
        }
        return taken;
    }

    @Override
    public void closed(ExecApprovalClosedNotification question) {
        questions.close(question);
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
        try (OpenQuestions.Open asked = questions.add(question)) {
            return inTurn(question, asked);
        } catch (IOException e) {
            return ApprovalDialogue.denied("the terminal cannot be used: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ApprovalDialogue.denied("the question was given up");
        }
    }

    private ExecApprovalAnswer inTurn(ExecApprovalRequest question, OpenQuestions.Open asked)
            throws IOException, InterruptedException {
        turn.lock();
        try {
            if (asked.closedBy().isPresent()) {
                return tooLate(asked);
            }
            typed.clear();
            shown = Optional.of(asked);
            return ask(question, asked);
        } finally {
            shown = Optional.empty();
            turn.unlock();
        }
    }

    private ExecApprovalAnswer ask(ExecApprovalRequest question, OpenQuestions.Open asked)
            throws IOException, InterruptedException {
        String words = ApprovalDialogue.question(question);
        while (true) {
            write(words);
            Optional<String> answer = read(asked);
            if (answer.isEmpty() && asked.closedBy().isPresent()) {
                write(ApprovalDialogue.closed(asked.closedBy().get()));
                return tooLate(asked);
            }
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

    /** Returns an answer that the server ignores. */
    private static ExecApprovalAnswer tooLate(OpenQuestions.Open asked) {
        return ApprovalDialogue.denied("closed by " + asked.closedBy().orElse("nobody"));
    }

    private void write(String text) throws IOException {
        local.errors().write(text.getBytes(StandardCharsets.UTF_8));
        local.errors().flush();
    }

    /** Returns what was typed; empty at the end of the input, if nobody types, or if no answer is needed any more. */
    private Optional<String> read(OpenQuestions.Open asked) throws IOException, InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (asked.closedBy().isEmpty() && System.nanoTime() - end < 0) {
            if (forwarded) {
                String line = typed.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS);
                if (line != null) {
                    return Optional.of(line);
                }
            } else if (local.inputReady()) {
                return readTerminal();
            } else {
                boolean _ = asked.awaitClosed(LOOK);
            }
        }
        return Optional.empty();
    }

    private Optional<String> readTerminal() throws IOException {
        byte[] line = new byte[LINE_BYTES];
        int length = local.input().read(line);
        return length < 0 ? Optional.empty() : Optional.of(new String(line, 0, length, StandardCharsets.ISO_8859_1));
    }
}
