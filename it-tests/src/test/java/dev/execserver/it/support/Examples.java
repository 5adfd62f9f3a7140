package dev.execserver.it.support;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the marked blocks of a Markdown page and compares the printed lines with the expected ones. */
public final class Examples {
    private static final Pattern BLOCK = Pattern.compile(
            "^```(\\w+) (example|expected)=(\\S+)[^\\n]*\\n(.*?)^```", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern PLACEHOLDER = Pattern.compile("\\.\\.\\.|[A-Z][A-Z0-9]*(_[A-Z0-9]+)*");

    private Examples() {}

    /**
     * A script or program and the lines that it must print.
     *
     * @param language {@code sh} or {@code java}
     */
    public record Example(String name, String language, String script, List<String> expected) {}

    public static List<Example> in(String page) {
        Map<String, String> scripts = new LinkedHashMap<>();
        Map<String, String> languages = new LinkedHashMap<>();
        Map<String, List<String>> expected = new LinkedHashMap<>();
        Matcher block = BLOCK.matcher(page);
        while (block.find()) {
            if (block.group(2).equals("example")) {
                scripts.put(block.group(3), block.group(4));
                languages.put(block.group(3), block.group(1));
            } else {
                expected.put(
                        block.group(3),
                        block.group(4).lines().filter(line -> !line.isBlank()).toList());
            }
        }
        List<Example> examples = new ArrayList<>();
        scripts.forEach((name, script) ->
                examples.add(new Example(name, languages.get(name), script, expected.getOrDefault(name, List.of()))));
        return examples;
    }

    /**
     * Returns true if the lines match. JSON is compared by value, where {@code "..."} and placeholders such as
     * {@code SESSION_ID} match anything; other lines are compared by text.
     */
    public static boolean alike(String expected, String line) {
        if (!expected.startsWith("{")) {
            String pattern =
                    Pattern.quote(expected).replace("PORT", "\\E\\d+\\Q").replace("...", "\\E.*\\Q");
            return line.matches(pattern);
        }
        return line.startsWith("{") && alike(Json.parse(expected), Json.parse(line));
    }

    private static boolean alike(JsonNode expected, JsonNode actual) {
        if (expected.isTextual() && PLACEHOLDER.matcher(expected.textValue()).matches()) {
            return true;
        }
        if (expected.isObject()) {
            return actual.isObject()
                    && Json.names(expected).stream()
                            .filter(name -> !name.equals("..."))
                            .allMatch(name -> actual.has(name) && alike(expected.get(name), actual.get(name)));
        }
        if (expected.isArray() && actual.isArray() && expected.size() == actual.size()) {
            for (int i = 0; i < expected.size(); i++) {
                if (!alike(expected.get(i), actual.get(i))) {
                    return false;
                }
            }
            return true;
        }
        return expected.equals(actual);
    }
}
