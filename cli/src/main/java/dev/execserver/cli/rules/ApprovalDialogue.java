package dev.execserver.cli.rules;

import dev.execserver.protocol.process.ExecApprovalAnswer;
import dev.execserver.protocol.process.ExecApprovalAnswer.Decision;
import dev.execserver.protocol.process.ExecApprovalAnswer.Remember;
import dev.execserver.protocol.process.ExecApprovalRequest;
import dev.execserver.protocol.text.SurrogateEscapedText;
import dev.execserver.protocol.text.VisibleText;
import java.util.Optional;

/** Words of the question about a program on a terminal, and of its answers. Stateless. */
public final class ApprovalDialogue {
    private static final String CHOICES = " [y]es, [n]o, [a]lways: ";
    private static final char CTRL_C = 3;
    private static final char CTRL_D = 4;

    private ApprovalDialogue() {}

    /** Returns the question, on a line of its own whatever the terminal shows. */
    public static String question(ExecApprovalRequest question) {
        StringBuilder line = new StringBuilder("exec-server: run ")
                .append(question.executed().program().display());
        question.executed().argv().stream()
                .skip(1)
                .forEach(word -> line.append(' ').append(SurrogateEscapedText.shown(word)));
        line.append(" in ").append(question.executed().cwd().display());
        line.append(question.sandboxed() ? ", sandboxed" : ", without a sandbox");
        question.justification().ifPresent(why -> line.append(" (").append(why).append(')'));
        return "\r\n" + VisibleText.line(line.append('?').toString()) + CHOICES;
    }

    /** Returns what was typed as an answer; empty if it is none. */
    public static Optional<ExecApprovalAnswer> answer(String typed) {
        return switch (typed.isEmpty() ? ' ' : Character.toLowerCase(typed.charAt(0))) {
            case 'y' -> Optional.of(ExecApprovalAnswer.of(Decision.RUN));
            case 'a' ->
                Optional.of(new ExecApprovalAnswer(Decision.RUN, Optional.empty(), Optional.of(Remember.SESSION)));
            case 'n', CTRL_C, CTRL_D -> Optional.of(denied("you have said no"));
            default -> Optional.empty();
        };
    }

    /**
     * Returns the words for a question that needs no answer any more.
     *
     * @param by who or what has closed it, as the server says it
     */
    public static String closed(String by) {
        String why = switch (by) {
            case "client", "approver" -> "somebody else has answered";
            case "timeout" -> "the time for an answer is over";
            case "ended" -> "the program that asked has ended";
            default -> "no answer is needed any more";
        };
        return "\r\nexec-server: " + why + "\r\n";
    }

    public static ExecApprovalAnswer denied(String why) {
        return new ExecApprovalAnswer(Decision.DENY, Optional.of(why), Optional.empty());
    }

    /** Returns the answer where nobody can be asked. */
    public static ExecApprovalAnswer noTerminal() {
        return denied("there is no terminal to ask on");
    }
}
