package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * A {@code prefix_rule} of a rules file as JSON, without its examples.
 *
 * @param pattern the first words of a command; each is written as a string or as an array of alternatives
 * @param decision {@code allow}, {@code prompt} or {@code forbidden}; the server checks it
 * @param justification reason for people
 * @param canonicalMatching true if words are compared without regard to case
 */
public record PrefixRuleParams(
        List<List<String>> pattern, String decision, Optional<String> justification, boolean canonicalMatching)
        implements JsonWritable {

    private static final List<String> MEMBERS = List.of("pattern", "decision", "justification", "canonicalMatching");

    public PrefixRuleParams {
        pattern = pattern.stream().map(List::copyOf).toList();
    }

    static PrefixRuleParams read(ParamsReader in) {
        List<List<String>> pattern = null;
        String decision = "allow";
        Optional<String> justification = Optional.empty();
        boolean canonicalMatching = false;
        while (in.next()) {
            switch (in.name()) {
                case "pattern" -> pattern = in.stringsOrLists();
                case "decision" -> decision = in.string();
                case "justification" -> justification = in.stringOrNull();
                case "canonicalMatching" -> canonicalMatching = in.bool();
                default -> throw ExecPolicyParams.unknown(in, MEMBERS);
            }
        }
        return new PrefixRuleParams(in.required("pattern", pattern), decision, justification, canonicalMatching);
    }

    long characters() {
        long words = pattern.stream()
                .flatMap(List::stream)
                .mapToLong(word -> word.length() + 1L)
                .sum();
        return words + justification.map(String::length).orElse(0);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeArrayFieldStart("pattern");
        for (List<String> alternatives : pattern) {
            if (alternatives.size() == 1) {
                g.writeString(alternatives.getFirst());
            } else {
                JsonFields.strings(g, alternatives);
            }
        }
        g.writeEndArray();
        g.writeStringField("decision", decision);
        JsonFields.ifPresent(g, "justification", justification);
        if (canonicalMatching) {
            g.writeBooleanField("canonicalMatching", true);
        }
        g.writeEndObject();
    }
}
