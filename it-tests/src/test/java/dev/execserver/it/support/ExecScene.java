package dev.execserver.it.support;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A client whose commands have rules for their programs, and a workspace for those that are sandboxed. */
public final class ExecScene implements AutoCloseable {
    /** What {@code id} prints that a {@link #rule} forbids. */
    public static final String NO_IDS = "Execution denied: /usr/bin/id: no ids";

    /** Exit code of a program that was not executed. */
    public static final int DENIED = 126;

    private final SandboxScene scene = new SandboxScene();
    private WireClient client;

    /** @param client after its handshake; whoever made it closes it */
    public ExecScene(WireClient client) {
        this.client = client;
    }

    public WireClient client() {
        return client;
    }

    /** Goes on with another connection. */
    public void goOn(WireClient other) {
        client = other;
    }

    public SandboxScene scene() {
        return scene;
    }

    public static ObjectNode rule(String decision, String... words) {
        return Json.object("pattern", List.of(words), "decision", decision, "justification", "no ids");
    }

    /** Returns the member {@code execPolicy} with these rules. */
    public static ObjectNode policy(ObjectNode... rules) {
        return Json.object("prefixRules", List.of(rules));
    }

    /** Returns a policy that forbids {@code id}. */
    public static ObjectNode forbidden() {
        return policy(rule("forbidden", "id"));
    }

    /** Returns a policy that asks about {@code id}. */
    public static ObjectNode prompted() {
        return policy(rule("prompt", "id"));
    }

    public RemoteProcess run(boolean sandboxed, String script, ObjectNode policy) {
        Start start = sandboxed ? scene.shell(script) : Start.shell(script);
        return client.start(start.with("execPolicy", policy));
    }

    public RemoteProcess run(String script, ObjectNode policy) {
        return run(false, script, policy);
    }

    /** Returns the next message, which must be a question about a program. */
    public JsonNode question() {
        JsonNode message = client.nextStray();
        assertThat(message.path("method").asText()).isEqualTo("exec/approval");
        return message;
    }

    /** Answers a question, with further members as names and values. */
    public void answer(JsonNode question, String decision, String... more) {
        ObjectNode result = Json.object("decision", decision);
        for (int i = 0; i < more.length; i += 2) {
            result.put(more[i], more[i + 1]);
        }
        client.answer(question, result);
    }

    /** Returns the reports up to one about a program. */
    public List<JsonNode> reportsUpTo(String method, String program) {
        List<JsonNode> reports = new ArrayList<>();
        while (true) {
            JsonNode message = client.nextStray();
            reports.add(message);
            if (message.path("method").asText().equals(method)
                    && message.path("params").path("program").asText().endsWith(program)) {
                return reports;
            }
        }
    }

    public static String stderr(RemoteProcess process) {
        return new String(process.events().output("stderr"), StandardCharsets.UTF_8);
    }

    /** Removes the state directory of a server that a test has killed, as far as it is there. */
    public void deleteState() {
        try (var files = Files.walk(scene.base().resolve("state"))) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        scene.close();
    }
}
