package dev.execserver.server.mcp.shell;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.process.ExecApprovalRequest;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.text.SurrogateEscapedText;
import dev.execserver.protocol.text.VisibleText;
import dev.execserver.server.rules.ShellWords;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Params of {@code elicitation/create}: the question to the user whether a program may run.
 *
 * @param question of the rules
 * @param reasons true to tell the rule's reason, and to ask how long the answer holds
 */
record Elicitation(ExecApprovalRequest question, boolean reasons) implements JsonWritable {
    /** Member of the answer with the validity of it. */
    static final String REMEMBER = "remember";

    static final String REASON = "reason";

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("message", message());
        g.writeObjectFieldStart("requestedSchema");
        g.writeStringField("type", "object");
        g.writeStringField("title", "Execution Permission Request");
        g.writeObjectFieldStart("properties");
        g.writeObjectFieldStart(REASON);
        g.writeStringField("type", "string");
        g.writeStringField("description", "Optional reason for allowing or denying execution");
        g.writeEndObject();
        if (reasons) {
            writeRemember(g);
        }
        g.writeEndObject();
        g.writeEndObject();
        g.writeEndObject();
    }

    private static void writeRemember(JsonGenerator g) throws IOException {
        g.writeObjectFieldStart(REMEMBER);
        g.writeStringField("type", "string");
        g.writeStringField(
                "description",
                "Give the same answer again without a question: once (no), command (until this call ends) or session");
        g.writeArrayFieldStart("enum");
        for (String word : List.of("once", "command", "session")) {
            g.writeString(word);
        }
        g.writeEndArray();
        g.writeStringField("default", "once");
        g.writeEndObject();
    }

    /** Returns the question. The paths and arguments are those that run, in a form that hides nothing. */
    private String message() {
        List<String> words = new ArrayList<>();
        words.add(question.executed().program().display());
        question.executed().argv().stream()
                .skip(1)
                .map(SurrogateEscapedText::shown)
                .forEach(words::add);
        String asked = "Allow agent to run `" + VisibleText.of(ShellWords.joined(words)) + "` in `"
                + VisibleText.of(question.executed().cwd().display()) + "`?";
        return question.justification()
                .filter(_ -> reasons)
                .map(why -> asked + " " + VisibleText.oneLine(why))
                .orElse(asked);
    }
}
