package dev.execserver.server.rules;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Values as the error texts of the reference write them: the debug format of Rust. */
final class DebugText {
    private DebugText() {}

    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> {
                    if (Character.isISOControl(c)) {
                        quoted.append("\\u{%x}".formatted(c));
                    } else {
                        quoted.appendCodePoint(c);
                    }
                }
            }
        });
        return quoted.append('"').toString();
    }

    static String list(List<String> texts) {
        return texts.stream().map(DebugText::quoted).collect(Collectors.joining(", ", "[", "]"));
    }

    static String optional(Optional<String> text) {
        return text.map(value -> "Some(" + quoted(value) + ")").orElse("None");
    }
}
