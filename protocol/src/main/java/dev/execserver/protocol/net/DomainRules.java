package dev.execserver.protocol.net;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Maps of patterns to rules as JSON objects. Stateless. */
final class DomainRules {

    private DomainRules() {}

    static Map<String, DomainRule> read(ParamsReader in) {
        Map<String, DomainRule> rules = new LinkedHashMap<>();
        while (in.next()) {
            rules.put(in.name(), DomainRule.parse(in.string()));
        }
        return rules;
    }

    static Map<String, Map<String, DomainRule>> readByProgram(ParamsReader in) {
        Map<String, Map<String, DomainRule>> programs = new LinkedHashMap<>();
        while (in.next()) {
            String program = in.name();
            programs.put(program, in.structOrNull("a map", DomainRules::read).orElse(Map.of()));
        }
        return programs;
    }

    static void write(JsonGenerator g, String name, Map<String, DomainRule> rules) throws IOException {
        g.writeObjectFieldStart(name);
        for (Map.Entry<String, DomainRule> rule : rules.entrySet()) {
            g.writeStringField(rule.getKey(), rule.getValue().wire());
        }
        g.writeEndObject();
    }

    static void writeByProgram(JsonGenerator g, String name, Map<String, Map<String, DomainRule>> programs)
            throws IOException {
        g.writeObjectFieldStart(name);
        for (Map.Entry<String, Map<String, DomainRule>> program : programs.entrySet()) {
            write(g, program.getKey(), program.getValue());
        }
        g.writeEndObject();
    }
}
