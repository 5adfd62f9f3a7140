package dev.execserver.server.rules;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.execserver.cli.Console;
import dev.execserver.cli.local.ConfigException;
import dev.execserver.server.cli.ExecPolicyCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** {@code execpolicy check} answers as the reference was recorded. */
class RecordedChecksTest {
    /** Cases in which this server takes what newer sources of the reference take, and 0.169 refuses. */
    private static final Map<String, String> ACCEPTED_HERE = Map.of(
            "abs-home", "`~/` in paths of host_executable",
            "reviewer", "the argument `reviewer`",
            "reviewer3", "the argument `reviewer`",
            "reviewer4", "the argument `reviewer`");

    @TempDir
    private Path folder;

    @TestFactory
    Stream<DynamicTest> everyRecordedCase() throws IOException {
        List<Map<String, Object>> cases = new ArrayList<>();
        try (JsonParser parser = new JsonFactory()
                .createParser(RecordedChecksTest.class.getResourceAsStream("/execpolicy/recorded-checks.jsonl"))) {
            while (parser.nextToken() == JsonToken.START_OBJECT) {
                cases.add(object(parser));
            }
        }
        assertThat(cases).hasSize(78);
        return cases.stream().map(each -> DynamicTest.dynamicTest(text(each, "case"), () -> check(each)));
    }

    private void check(Map<String, Object> recorded) throws IOException {
        String name = text(recorded, "case");
        Path pol = Files.createDirectories(folder.resolve("pol"));
        List<String> arguments = new ArrayList<>(List.of("check"));
        List<String> rules = texts(recorded, "rules");
        for (int i = 0; i < rules.size(); i++) {
            Path file = Files.writeString(pol.resolve(name + i + ".rules"), rules.get(i));
            arguments.addAll(List.of("--rules", file.toString()));
        }
        if (name.equals("missing-file")) {
            arguments.addAll(List.of("--rules", "/nonexistent.rules"));
        }
        arguments.addAll(texts(recorded, "options"));
        List<String> command = texts(recorded, "command");
        arguments.addAll(command.isEmpty() ? List.of("a") : command);
        Result result = run(arguments);

        if (ACCEPTED_HERE.containsKey(name)) {
            assertThat(result.status()).as(ACCEPTED_HERE.get(name)).isZero();
            return;
        }
        assertThat(result.status()).as(result.stderr()).isEqualTo(((Number) recorded.get("exit")).intValue());
        if (name.equals("no-rules")) {
            assertThat(result.stderr()).contains("--rules");
        } else if (name.equals("reviewer2")) {
            assertThat(result.stderr()).contains("invalid reviewer: zzz");
        } else {
            assertThat(result.stdout().strip())
                    .isEqualTo(text(recorded, "stdout").strip());
            assertThat(result.stderr().replace(folder.toString(), "$W").strip())
                    .isEqualTo(text(recorded, "stderr").strip());
        }
    }

    private record Result(int status, String stdout, String stderr) {}

    private static Result run(List<String> arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console = new Console(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), Map.of());
        try {
            int status = new ExecPolicyCommand().runPlain(arguments, console).orElseThrow();
            return new Result(status, out.toString(UTF_8), err.toString(UTF_8));
        } catch (ConfigException e) {
            return new Result(2, "", e.getMessage());
        }
    }

    private static String text(Map<String, Object> object, String member) {
        return (String) object.getOrDefault(member, "");
    }

    private static List<String> texts(Map<String, Object> object, String member) {
        return ((List<?>) object.getOrDefault(member, List.of()))
                .stream().map(String.class::cast).toList();
    }

    private static Map<String, Object> object(JsonParser parser) throws IOException {
        Map<String, Object> members = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            members.put(name, value(parser, parser.nextToken()));
        }
        return members;
    }

    private static Object value(JsonParser parser, JsonToken token) throws IOException {
        return switch (token) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> {
                List<Object> elements = new ArrayList<>();
                for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
                    elements.add(value(parser, next));
                }
                yield elements;
            }
            case VALUE_NUMBER_INT -> parser.getIntValue();
            default -> parser.getText();
        };
    }
}
