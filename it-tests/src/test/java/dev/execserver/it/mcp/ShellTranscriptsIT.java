package dev.execserver.it.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.McpStdio;
import dev.execserver.it.support.Transcript;
import dev.execserver.it.support.VarTmp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The recorded conversations of the original shell MCP server, with {@code --compat 0.97}: each answer, each question to the user and
 * the exit status. Intended differences stand in {@link ShellTranscriptExceptions}, each with its reason.
 */
@Timeout(180)
class ShellTranscriptsIT {
    private static final String RULES = """
            prefix_rule([["id", "cat", "touch", "sleep", "env", "printenv", "sh"]])
            prefix_rule(["uname"], "prompt")
            prefix_rule(["whoami"], "forbidden", justification="nobody needs to know")
            """;

    @TempDir(factory = VarTmp.class)
    private Path folder;

    private Path codex;
    private final List<JsonNode> recordedQuestions = Collections.synchronizedList(new ArrayList<>());
    private final Map<JsonNode, JsonNode> recordedAnswers = new HashMap<>();
    private final Map<JsonNode, JsonNode> received = new HashMap<>();
    private final List<String> differences = Collections.synchronizedList(new ArrayList<>());
    private String file;
    private McpStdio mcp;

    @BeforeEach
    void makeFolders() throws IOException {
        codex = Files.createDirectories(folder.resolve("codex"));
        Files.createDirectory(codex.resolve("rules"));
        Files.createDirectory(folder.resolve("ws"));
    }

    private void rule(String name, String text) throws IOException {
        Path made = codex.resolve("rules").resolve(name);
        Files.createDirectories(made.getParent());
        Files.writeString(made, text);
    }

    /** Makes the rules that the recording had. */
    private void makeRules() throws IOException {
        String forbidden = "prefix_rule([\"%s\"], \"forbidden\")\n";
        switch (file) {
            case "13" -> rule("x.rules", "prefix_rule([\n");
            case "14" -> {
                rule("a.rules", forbidden.formatted("whoami"));
                rule("b.txt", forbidden.formatted("arch"));
            }
            case "15" -> rule("sub/a.rules", forbidden.formatted("whoami"));
            default -> rule("default.rules", RULES);
        }
    }

    private Map<String, String> environment() {
        Map<String, String> variables =
                new HashMap<>(Map.of("HOME", codex.toString(), "CODEX_HOME", codex.toString(), "RUST_LOG", "warn"));
        if (file.equals("17")) {
            variables.put("CODEX_HOME", folder.resolve("nohome").toString());
        }
        if (file.equals("11")) {
            variables.put("CODEX_BASH_PATH", "/bin/bash");
        }
        return variables;
    }

    private String[] options() {
        List<String> options = new ArrayList<>(List.of("--compat", "0.97", "--state-dir", folder + "/state"));
        if (!List.of("11", "12").contains(file)) {
            options.addAll(List.of("--bash", "/bin/bash"));
        }
        if (file.equals("10")) {
            options.add("--preserve-program-paths");
        }
        return options.toArray(String[]::new);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "01-init-list",
                "02-sandbox-state",
                "03-decisions",
                "04-elicit-decline",
                "05-elicit-cancel",
                "06-elicit-unsupported",
                "06b-elicit-error",
                "07-timeouts",
                "08-cancel-concurrent",
                "09-danger",
                "10-preserve-paths",
                "11-env-bash",
                "12-no-bash",
                "13-broken-rules",
                "14-rules-files",
                "15-rules-subdir",
                "16-default-timeout",
                "17-missing-home",
                "18-stopwatch-two-prompts",
                "19-relative-exec",
                "22-garbage",
                "23-version",
                "24-escalated-context",
                "25-escape-by-env-and-basename",
                "26-heuristics-and-relative"
            })
    void theServerAnswersAsRecorded(String name) throws IOException {
        file = name.substring(0, name.indexOf('-'));
        makeRules();
        List<JsonNode> lines = Transcript.load(
                        "mcp/" + name,
                        line -> line.replace("$W", folder.toString()).replace("$CODEX_HOME_1", codex.toString()))
                .lines()
                .stream()
                .map(Transcript.Line::entry)
                .toList();
        lines.stream()
                .filter(line -> kind(line).equals("question"))
                .forEach(line -> recordedQuestions.add(line.get("msg")));
        lines.stream()
                .filter(line -> kind(line).equals("reply"))
                .forEach(line -> recordedAnswers.put(line.get("msg").get("id"), line.get("msg")));
        try (McpStdio started = McpStdio.start(environment(), options())) {
            mcp = started;
            mcp.answering(this::answered);
            int exit = lines.stream().map(ShellTranscriptsIT::kind).toList().indexOf("exit");
            lines.subList(0, exit + 1).forEach(this::replay); // what 22 sends later finds nobody
        }
        recordedQuestions.stream()
                .map(ShellTranscriptsIT::message)
                .filter(text -> !ShellTranscriptExceptions.notAsked(file, text))
                .forEach(text -> differences.add("it was not asked: " + text));
        assertThat(differences).isEmpty();
    }

    private static String kind(JsonNode line) {
        JsonNode message = line.get("msg");
        return switch (line.get("dir").textValue()) {
            case "c2s" -> message.has("method") ? "send" : "reply";
            case "s2c" -> message.has("method") ? "question" : "answer";
            default -> line.get("dir").textValue();
        };
    }

    private static String message(JsonNode question) {
        return question.at("/params/message").textValue();
    }

    /** Answers a question as it was answered then. */
    private JsonNode answered(JsonNode question) {
        Optional<JsonNode> recorded = recordedQuestions.stream()
                .filter(then -> message(then).equals(message(question)))
                .findFirst();
        if (recorded.isEmpty()) {
            if (!ShellTranscriptExceptions.askedToo(file, message(question))) {
                differences.add("it was asked: " + message(question));
            }
            return Json.object("action", "accept", "content", Json.object());
        }
        recordedQuestions.remove(recorded.get());
        if (!question.at("/params/requestedSchema").equals(recorded.get().at("/params/requestedSchema"))) {
            differences.add("another question: " + question);
        }
        JsonNode answer = recordedAnswers.get(recorded.get().get("id"));
        if (answer.has("result")) {
            return answer.get("result");
        }
        ObjectNode refusal = answer.deepCopy();
        mcp.send(refusal.set("id", question.get("id")).toString());
        return null;
    }

    private void replay(JsonNode line) {
        switch (kind(line)) {
            case "send" -> mcp.send(line.get("msg").toString());
            case "c2s-raw" -> mcp.send(line.get("msg").textValue());
            case "answer" -> compare(line.get("msg"));
            case "exit" -> {
                JsonNode expected = ShellTranscriptExceptions.answer(file, "exit")
                        .orElse(line.get("msg").get("code"));
                if (mcp.finish() != expected.intValue()) {
                    differences.add("exit status, expected " + expected + ": "
                            + mcp.server().stderr());
                }
            }
            default -> {}
        }
    }

    private void compare(JsonNode recorded) {
        JsonNode id = recorded.get("id");
        if (ShellTranscriptExceptions.notAnswered(file, id.asText())) {
            return;
        }
        while (!received.containsKey(id)) {
            JsonNode next = mcp.nextOther();
            received.put(next.get("id"), next);
        }
        JsonNode expected = ShellTranscriptExceptions.answer(file, id.asText()).orElseGet(() -> essence(recorded));
        if (!like(expected, essence(received.get(id)))) {
            differences.add("answer " + id + "\n expected " + expected + "\n received " + received.get(id));
        }
    }

    /** Returns an answer without what differs in each run. A read-only place is refused with another errno by another sandbox. */
    private static JsonNode essence(JsonNode answer) {
        JsonNode text = answer.at("/result/content/0/text");
        if (text.isTextual() && text.textValue().startsWith("{\"exit_code\"")) {
            ObjectNode result =
                    (ObjectNode) Json.parse(text.textValue().replace("Read-only file system", "Permission denied"));
            assertThat(result.remove("duration").get("nanos").isInt()).isTrue();
            return result;
        }
        if (answer.at("/result/serverInfo").isObject()) {
            return ((ObjectNode) answer.get("result").deepCopy()).without("serverInfo"); // that of this server
        }
        return answer.has("error") ? answer.get("error") : answer.get("result");
    }

    /** Returns true if two answers are equal; {@code *} stands for anything, also in the middle of a text. */
    private static boolean like(JsonNode expected, JsonNode actual) {
        if (expected.isTextual() && expected.textValue().contains("*")) {
            String pattern = Arrays.stream(expected.textValue().split("\\*", -1))
                    .map(Pattern::quote)
                    .collect(Collectors.joining(".*"));
            return actual.isTextual()
                    && Pattern.compile(pattern, Pattern.DOTALL)
                            .matcher(actual.textValue())
                            .matches();
        }
        if (expected.isObject()) {
            return actual.isObject()
                    && Json.names(expected).equals(Json.names(actual))
                    && Json.names(expected).stream().allMatch(name -> like(expected.get(name), actual.get(name)));
        }
        return expected.equals(actual);
    }
}
