package dev.execserver.server.rules;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;

/** Writes the matches of a command as JSON, in the form of the reference. */
public final class CheckReport {
    private CheckReport() {}

    /** @param pretty true for one member a line */
    public static String json(List<RuleMatch> matches, boolean pretty) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = new JsonFactory().createGenerator(text)) {
            if (pretty) {
                DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
                generator.setPrettyPrinter(new DefaultPrettyPrinter()
                        .withSeparators(Separators.createDefaultInstance()
                                .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                                .withObjectEmptySeparator("")
                                .withArrayEmptySeparator(""))
                        .withObjectIndenter(indenter)
                        .withArrayIndenter(indenter));
            }
            write(matches, generator);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return text.toString();
    }

    private static void write(List<RuleMatch> matches, JsonGenerator generator) throws IOException {
        generator.writeStartObject();
        generator.writeArrayFieldStart("matchedRules");
        for (RuleMatch match : matches) {
            generator.writeStartObject();
            generator.writeObjectFieldStart("prefixRuleMatch");
            generator.writeArrayFieldStart("matchedPrefix");
            for (String word : match.matchedPrefix()) {
                generator.writeString(word);
            }
            generator.writeEndArray();
            generator.writeStringField("decision", match.rule().decision().word());
            if (match.resolvedProgram().isPresent()) {
                generator.writeStringField(
                        "resolvedProgram", match.resolvedProgram().get());
            }
            if (match.rule().justification().isPresent()) {
                generator.writeStringField(
                        "justification", match.rule().justification().get());
            }
            generator.writeEndObject();
            generator.writeEndObject();
        }
        generator.writeEndArray();
        if (!matches.isEmpty()) {
            generator.writeStringField(
                    "decision", RuleSet.strictest(matches).orElseThrow().word());
        }
        generator.writeEndObject();
    }
}
