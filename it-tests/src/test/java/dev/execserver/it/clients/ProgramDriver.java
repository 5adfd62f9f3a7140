package dev.execserver.it.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Json;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Driver that is a program: it takes URL, action and JSON as arguments, and prints one JSON object. */
final class ProgramDriver implements ClientDriver {
    private static final long LIMIT_SECONDS = 150;
    private static final String STARTED = "started";

    private final List<String> command;

    ProgramDriver(List<String> command) {
        this.command = List.copyOf(command);
    }

    @Override
    public JsonNode act(String url, String action, JsonNode args, Runnable whenStarted) throws Exception {
        List<String> line = new ArrayList<>(command);
        line.addAll(List.of(url, action, args.toString()));
        Path out = Files.createTempFile("driver", ".json");
        try {
            Process process =
                    new ProcessBuilder(line).redirectOutput(out.toFile()).start();
            process.getOutputStream().close();
            String said = follow(process, whenStarted);
            if (!process.waitFor(LIMIT_SECONDS, SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(action + " did not end: " + line + "\n" + said);
            }
            return answer(Files.readString(out), said);
        } finally {
            Files.delete(out);
        }
    }

    /** Returns what the program writes to stderr, to its end. */
    private static String follow(Process process, Runnable whenStarted) throws Exception {
        StringBuilder said = new StringBuilder();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getErrorStream(), UTF_8))) {
            for (String text = lines.readLine(); text != null; text = lines.readLine()) {
                if (text.equals(STARTED)) {
                    whenStarted.run();
                } else {
                    said.append(text).append('\n');
                }
            }
        }
        return said.toString();
    }

    private static JsonNode answer(String out, String err) {
        if (out.isBlank()) {
            throw new AssertionError("the driver printed nothing; on stderr: " + err);
        }
        ObjectNode answer = (ObjectNode) Json.parse(out);
        if (answer.has("error")) {
            answer.put("error", answer.get("error").textValue().replaceFirst("Error$", ""));
        }
        return answer;
    }
}
