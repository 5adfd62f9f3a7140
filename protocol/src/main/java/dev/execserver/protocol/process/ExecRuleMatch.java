package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Rule that matches a program.
 *
 * @param matchedPrefix the words that the rule is about
 * @param decision {@code allow}, {@code prompt} or {@code forbidden}
 * @param rule file and line of the rule
 */
public record ExecRuleMatch(
        List<String> matchedPrefix, String decision, Optional<String> justification, Optional<String> rule)
        implements JsonWritable {

    public ExecRuleMatch {
        matchedPrefix = List.copyOf(matchedPrefix);
    }

    static ExecRuleMatch read(ParamsReader in) {
        List<String> matchedPrefix = null;
        String decision = null;
        Optional<String> justification = Optional.empty();
        Optional<String> rule = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "matchedPrefix" -> matchedPrefix = in.strings();
                case "decision" -> decision = in.string();
                case "justification" -> justification = in.stringOrNull();
                case "rule" -> rule = in.stringOrNull();
                default -> {}
            }
        }
        return new ExecRuleMatch(
                in.required("matchedPrefix", matchedPrefix), in.required("decision", decision), justification, rule);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        JsonFields.strings(g, "matchedPrefix", matchedPrefix);
        g.writeStringField("decision", decision);
        JsonFields.ifPresent(g, "justification", justification);
        JsonFields.ifPresent(g, "rule", rule);
        g.writeEndObject();
    }
}
