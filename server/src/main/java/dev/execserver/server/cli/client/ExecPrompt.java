package dev.execserver.server.cli.client;

import dev.execserver.client.exec.ExecApprovals;
import dev.execserver.protocol.process.ExecApprovalAnswer;
import dev.execserver.protocol.process.ExecApprovalAnswer.Decision;
import dev.execserver.protocol.process.ExecApprovalAnswer.Remember;
import dev.execserver.protocol.process.ExecApprovalRequest;
import dev.execserver.protocol.process.ExecReport;
import dev.execserver.protocol.text.SurrogateEscapedText;
import dev.execserver.protocol.text.VisibleText;
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
    private static final String CHOICES = " [y]es, [n]o, [a]lways: ";
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
            return denied("there is no terminal to ask on");
        }
        turn.lock();
        try {
            typed.clear();
            open = true;
            return ask(question);
        } catch (IOException e) {
            return denied("the terminal cannot be used: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return denied("the question was given up");
        } finally {
            open = false;
            turn.unlock();
        }
    }

    private ExecApprovalAnswer ask(ExecApprovalRequest question) throws IOException, InterruptedException {
        String words = words(question);
        while (true) {
            write(words);
            Optional<String> answer = read();
            if (answer.isEmpty()) {
                return denied("nobody has answered");
            }
            // A raw terminal shows nothing of what is typed, and moves no line.
            write("\r\n");
            switch (answer.get().isEmpty()
                    ? ' '
                    : Character.toLowerCase(answer.get().charAt(0))) {
                case 'y' -> {
                    return ExecApprovalAnswer.of(Decision.RUN);
                }
                case 'a' -> {
                    return new ExecApprovalAnswer(Decision.RUN, Optional.empty(), Optional.of(Remember.SESSION));
                }
                case 'n', 3, 4 -> {
                    return denied("you have said no");
                }
                default -> {}
            }
        }
    }

    static String words(ExecApprovalRequest question) {
        StringBuilder line = new StringBuilder("exec-server: run ")
                .append(question.executed().program().display());
        question.executed().argv().stream()
                .skip(1)
                .forEach(word -> line.append(' ').append(SurrogateEscapedText.shown(word)));
        line.append(" in ").append(question.executed().cwd().display());
        question.justification().ifPresent(why -> line.append(" (").append(why).append(')'));
        return "\r\n" + VisibleText.line(line.append('?').toString()) + CHOICES;
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

    private static ExecApprovalAnswer denied(String why) {
        return new ExecApprovalAnswer(Decision.DENY, Optional.of(why), Optional.empty());
    }
}
