package dev.execserver.server.config;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Form of the results, refusals and tools that MCP clients get. */
public enum McpForm {
    /** The own form of this server. */
    OWN("own"),
    /** The form of version 0.97 of the original shell MCP server, for clients that read its texts. */
    ORIGINAL_0_97("0.97");

    static final McpForm DEFAULT = OWN;

    private final String word;

    McpForm(String word) {
        this.word = word;
    }

    /** Returns true if texts are those of the original. */
    public boolean original() {
        return this != OWN;
    }

    /** Value of an option. */
    record Word() implements ValueType<McpForm> {
        private static final List<McpForm> FORMS = List.of(values());

        @Override
        public Optional<McpForm> parse(String text) {
            return FORMS.stream().filter(form -> form.word.equals(text)).findFirst();
        }

        @Override
        public String format(McpForm value) {
            return value.word;
        }

        @Override
        public String expectation() {
            return Arrays.stream(values()).map(form -> form.word).collect(Collectors.joining(", ", "one of ", ""));
        }
    }
}
