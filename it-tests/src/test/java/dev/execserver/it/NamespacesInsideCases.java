package dev.execserver.it;

import static dev.execserver.it.support.Policies.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.OwnMounts;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.Start;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A command that gets a user namespace of its own can leave the mounts of its view, and rename what they hold in place. It gets none, in
 * whatever sandbox, and without one it has no capability for any of the calls that would do the same.
 */
@Timeout(180)
abstract class NamespacesInsideCases {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final String FLOOR = """
            echo '{"type":"managed","network":"enabled","file_system":{"type":"restricted","entries":[
            {"path":{"type":"special","value":{"kind":"root"}},"access":"write"}]}}' >/tmp/floor.json
            """;

    private final List<String> user;

    NamespacesInsideCases(List<String> user) {
        this.user = user;
    }

    @ParameterizedTest(name = "with options \"{0}\"")
    @ValueSource(
            strings = {
                "",
                "--linux-sandbox-pid-namespace inherit",
                "--sandbox-proc off",
                "--require-sandbox",
                "--sandbox-floor /tmp/floor.json"
            })
    @DisplayName("what is mounted over stays in its place: no user namespace, and no capability for anything else")
    void noUserNamespaceInside(String options) {
        String[] words = options.isEmpty() ? new String[0] : options.split(" ");
        try (OwnMounts stand = OwnMounts.start(FLOOR, user, words)) {
            sandboxes(stand).forEach((what, start) -> {
                RemoteProcess process = stand.client().start(start);
                process.closed(LIMIT);
                Map<String, String> answers = answers(process.text());
                assertThat(answers.remove("child"))
                        .as("%s: %s", what, process.text())
                        .isEqualTo("ok");
                assertThat(answers.remove("clone3")).as(what).isEqualTo("Function not implemented");
                answers.keySet().removeIf(name -> name.startsWith("rename ") && busy(answers.get(name)));
                assertThat(answers).as(what).hasSizeGreaterThan(12);
                assertThat(answers.values()).as("%s: %s", what, answers).containsOnly("Operation not permitted");
            });
        }
    }

    private static boolean busy(String answer) {
        return answer.equals("Device or resource busy");
    }

    private static Map<String, String> answers(String text) {
        return text.lines()
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf(": ")), line -> line.substring(line.indexOf(": ") + 2)));
    }

    private static Map<String, Start> sandboxes(OwnMounts stand) {
        Path workspace = stand.folder("ws");
        make(workspace);
        ObjectNode denied = entry(workspace.resolve("denied"), "deny");
        ObjectNode all = Policies.of(workspace, entry("root", "read"), entry("project_roots", "write"), denied);
        ObjectNode open = all.deepCopy();
        ((ObjectNode) open.get("permissions")).put("network", "enabled");
        ObjectNode minimal = Policies.of(
                workspace,
                entry("minimal", "read"),
                entry(Path.of("/usr"), "read"),
                entry("project_roots", "write"),
                denied);
        Map<String, Start> starts = new LinkedHashMap<>();
        starts.put("no network", start(workspace, all));
        starts.put("network", start(workspace, open));
        starts.put("minimal view", start(workspace, minimal));
        starts.put(
                "managed network",
                start(workspace, all)
                        .with("enforceManagedNetwork", true)
                        .env("HTTP_PROXY", "http://127.0.0.1:9")
                        .env("http_proxy", "http://127.0.0.1:9"));
        return starts;
    }

    private static Start start(Path workspace, ObjectNode sandbox) {
        return Start.of("/usr/bin/python3", workspace.resolve("inside.py").toString(), workspace.toString())
                .with("cwd", workspace.toUri().toString())
                .with("sandbox", sandbox);
    }

    private static void make(Path workspace) {
        try (InputStream script = NamespacesInsideCases.class.getResourceAsStream("/namespaces/inside.py")) {
            Files.write(workspace.resolve("inside.py"), script.readAllBytes());
            Files.writeString(workspace.resolve("denied"), "s3cret");
            Files.createDirectory(workspace.resolve(".git"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
