package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Member {@code execPolicy} of {@code process/start}: rules for the programs that the command executes, decided one by one
 * before they run. An unknown member is an error, because it could not be enforced.
 *
 * @param rules rules files as text
 * @param prefixRules rules as JSON, after those of the texts
 * @param allowed place where a program runs that a rule allows
 * @param fallback decision about a program that no rule matches
 * @param heuristics true to judge such a program by its command line first
 * @param promptTimeoutMs time that the client has for each answer; absent for {@link #DEFAULT_PROMPT_TIMEOUT_MS}
 * @param report notifications that the client gets about decisions
 */
public record ExecPolicyParams(
        List<RulesText> rules,
        List<PrefixRuleParams> prefixRules,
        Allowed allowed,
        Fallback fallback,
        boolean heuristics,
        OptionalLong promptTimeoutMs,
        Report report)
        implements JsonWritable {

    public static final long DEFAULT_PROMPT_TIMEOUT_MS = 5 * 60_000L;

    /** 24 hours. */
    public static final long MAX_PROMPT_TIMEOUT_MS = 24 * 60 * 60_000L;

    private static final List<String> MEMBERS =
            List.of("rules", "prefixRules", "allowed", "fallback", "heuristics", "promptTimeoutMs", "report");

    /** No rules: every program runs in the sandbox, and nothing is reported. */
    public static final ExecPolicyParams NONE = new ExecPolicyParams(
            List.of(), List.of(), Allowed.SANDBOX, Fallback.ALLOW, false, OptionalLong.empty(), Report.NONE);

    public ExecPolicyParams {
        rules = List.copyOf(rules);
        prefixRules = List.copyOf(prefixRules);
    }

    /**
     * Rules file.
     *
     * @param name as errors and reports tell it
     */
    public record RulesText(String name, String text) implements JsonWritable {
        static RulesText read(ParamsReader in) {
            String name = null;
            String text = null;
            while (in.next()) {
                switch (in.name()) {
                    case "name" -> name = in.string();
                    case "text" -> text = in.string();
                    default -> throw unknown(in, List.of("name", "text"));
                }
            }
            return new RulesText(in.required("name", name), in.required("text", text));
        }

        @Override
        public void writeTo(JsonGenerator g) throws IOException {
            g.writeStartObject();
            g.writeStringField("name", name);
            g.writeStringField("text", text);
            g.writeEndObject();
        }
    }

    /** The place where a program runs that a rule allows. */
    public enum Allowed {
        SANDBOX,
        /** Outside of the command's sandbox. */
        ESCALATE;

        static Allowed parse(String word) {
            return ExecWords.parse(word, values());
        }
    }

    /** Decision about a program that no rule matches. */
    public enum Fallback {
        ALLOW,
        PROMPT,
        FORBID;

        static Fallback parse(String word) {
            return ExecWords.parse(word, values());
        }
    }

    /** Notifications about decisions. */
    public enum Report {
        NONE,
        /** Only programs that were asked about, refused or escalated. */
        DECISIONS,
        ALL;

        static Report parse(String word) {
            return ExecWords.parse(word, values());
        }
    }

    static ExecPolicyParams read(ParamsReader in) {
        ExecPolicyParams found = NONE;
        while (in.next()) {
            found = found.with(in);
        }
        return found;
    }

    private ExecPolicyParams with(ParamsReader in) {
        return switch (in.name()) {
            case "rules" -> withRules(in.structs("ExecRulesText", RulesText::read), prefixRules);
            case "prefixRules" -> withRules(rules, in.structs("PrefixRule", PrefixRuleParams::read));
            case "allowed" -> withAllowed(Allowed.parse(in.string()));
            case "fallback" -> withFallback(Fallback.parse(in.string()));
            case "heuristics" ->
                new ExecPolicyParams(rules, prefixRules, allowed, fallback, in.bool(), promptTimeoutMs, report);
            case "promptTimeoutMs" -> withPromptTimeoutMs(in.u64OrNull());
            case "report" -> withReport(Report.parse(in.string()));
            default -> throw unknown(in, MEMBERS);
        };
    }

    static RpcException unknown(ParamsReader in, List<String> members) {
        String known = members.stream().map(name -> "`" + name + "`").collect(Collectors.joining(", "));
        return ParamsReader.unknownVariant(in.name(), "one of " + known);
    }

    /** Returns the same policy with these rules. */
    public ExecPolicyParams withRules(List<RulesText> texts, List<PrefixRuleParams> prefixes) {
        return new ExecPolicyParams(texts, prefixes, allowed, fallback, heuristics, promptTimeoutMs, report);
    }

    /** Returns the same policy with this place for allowed programs. */
    public ExecPolicyParams withAllowed(Allowed place) {
        return new ExecPolicyParams(rules, prefixRules, place, fallback, heuristics, promptTimeoutMs, report);
    }

    /** Returns the same policy with this fallback. */
    public ExecPolicyParams withFallback(Fallback decision) {
        return new ExecPolicyParams(rules, prefixRules, allowed, decision, heuristics, promptTimeoutMs, report);
    }

    /** Returns the same policy with this time for answers. */
    public ExecPolicyParams withPromptTimeoutMs(OptionalLong ms) {
        return new ExecPolicyParams(rules, prefixRules, allowed, fallback, heuristics, ms, report);
    }

    /** Returns the same policy with these reports. */
    public ExecPolicyParams withReport(Report wanted) {
        return new ExecPolicyParams(rules, prefixRules, allowed, fallback, heuristics, promptTimeoutMs, wanted);
    }

    /** Returns the characters of all rules, for bounds. */
    public long characters() {
        return Stream.concat(
                        rules.stream()
                                .map(text -> (long) text.name().length()
                                        + text.text().length()),
                        prefixRules.stream().map(PrefixRuleParams::characters))
                .reduce(0L, Long::sum);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        if (!rules.isEmpty()) {
            g.writeFieldName("rules");
            JsonFields.values(g, rules);
        }
        if (!prefixRules.isEmpty()) {
            g.writeFieldName("prefixRules");
            JsonFields.values(g, prefixRules);
        }
        g.writeStringField("allowed", ExecWords.word(allowed));
        g.writeStringField("fallback", ExecWords.word(fallback));
        g.writeBooleanField("heuristics", heuristics);
        JsonFields.ifPresent(g, "promptTimeoutMs", promptTimeoutMs);
        g.writeStringField("report", ExecWords.word(report));
        g.writeEndObject();
    }
}
