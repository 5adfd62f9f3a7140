package dev.execserver.it.support;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.StreamSupport;

/** One conformance row of {@code sandbox/rows.json}: a policy, a command, and the expected result. */
public record SandboxRow(JsonNode json) {

    /** Returns all rows. */
    public static List<SandboxRow> all() {
        try (InputStream in = SandboxRow.class.getResourceAsStream("/sandbox/rows.json")) {
            JsonNode cases = Json.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .get("cases");
            return StreamSupport.stream(cases.spliterator(), false)
                    .map(SandboxRow::new)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the row with other expectations. */
    public SandboxRow expecting(JsonNode expected) {
        ObjectNode changed = json.deepCopy();
        changed.set("expect", expected);
        changed.remove("exec_server");
        return new SandboxRow(changed);
    }

    /** The place in which a row runs: the directory of its files, and the host's network namespace. */
    public record Stage(String base, String hostNet) {
        public String workspace() {
            return base + "/ws";
        }

        String fill(String text) {
            return text.replace("${WS}", workspace())
                    .replace("${OUT}", base + "/outside")
                    .replace("${BASE}", base)
                    .replace("@HOSTNET@", hostNet);
        }
    }

    public String id() {
        return json.get("id").asText();
    }

    public List<String> layout(Stage stage) {
        return strings(json.path("layout"), stage);
    }

    public List<String> command(Stage stage) {
        return strings(json.get("command"), stage);
    }

    /** Returns the parameters for {@code enforceManagedNetwork}; empty if the row does not ask for it. */
    public Optional<JsonNode> managedNetwork() {
        List<String> extra = new ArrayList<>();
        json.path("extra").forEach(item -> extra.add(item.asText()));
        int option = extra.indexOf("--managed-network");
        return option < 0 ? Optional.empty() : Optional.of(Json.parse(extra.get(option + 1)));
    }

    /** Returns the script that runs after the command; empty if there is none. */
    public String after(Stage stage) {
        return stage.fill(json.path("after").asText(""));
    }

    /** Returns a program that runs on the host during the command; empty if there is none. */
    public String host(Stage stage) {
        return stage.fill(json.path("host").asText(""));
    }

    public Map<String, String> environment(Stage stage) {
        Map<String, String> variables = new TreeMap<>(Map.of(
                "PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME", "/root", "LANG", "C"));
        json.path("env")
                .fields()
                .forEachRemaining(entry -> variables.put(
                        entry.getKey(), stage.fill(entry.getValue().asText())));
        return variables;
    }

    /** Returns the expectations for a server. Members for the server replace those for the command line. */
    public JsonNode expected() {
        ObjectNode expected = json.get("expect").deepCopy();
        json.path("exec_server").fields().forEachRemaining(entry -> expected.set(entry.getKey(), entry.getValue()));
        return expected;
    }

    public String expectedText(String member, Stage stage) {
        return stage.fill(expected().get(member).asText());
    }

    public List<String> expectedTexts(String member, Stage stage) {
        return strings(expected().path(member), stage);
    }

    public boolean expects(String member) {
        return expected().has(member);
    }

    /** Returns the profile with literal paths. */
    public JsonNode profile(Stage stage) {
        JsonNode policy = json.get("policy");
        return policy.has("config") ? ofConfiguration(policy.get("config"), stage) : filled(policy, stage);
    }

    private static JsonNode filled(JsonNode node, Stage stage) {
        return Json.parse(stage.fill(node.toString()));
    }

    /** Returns the profile that a configuration with these keys stands for. */
    private static JsonNode ofConfiguration(JsonNode config, Stage stage) {
        String keys = stage.fill(config.toString());
        if (keys.contains("danger-full-access")) {
            return Json.object("type", "disabled");
        }
        ArrayNode entries = (ArrayNode) Json.value(List.of());
        entries.add(special("root", "read"));
        if (keys.contains("workspace-write")) {
            entries.add(special("project_roots", "write"));
            if (!keys.contains("exclude_slash_tmp")) {
                entries.add(special("slash_tmp", "write"));
            }
            entries.add(special("tmpdir", "write"));
            if (keys.contains("writable_roots")) {
                entries.add(Json.object(
                        "path", Json.object("type", "path", "path", stage.base() + "/outside"), "access", "write"));
            }
        }
        return Json.object(
                "type",
                "managed",
                "file_system",
                Json.object("type", "restricted", "entries", entries),
                "network",
                "restricted");
    }

    private static ObjectNode special(String kind, String access) {
        return Json.object(
                "path", Json.object("type", "special", "value", Json.object("kind", kind)), "access", access);
    }

    private static List<String> strings(JsonNode array, Stage stage) {
        List<String> strings = new ArrayList<>();
        array.forEach(item -> strings.add(stage.fill(item.asText())));
        return strings;
    }

    @Override
    public String toString() {
        return id() + " " + json.get("description").asText();
    }
}
