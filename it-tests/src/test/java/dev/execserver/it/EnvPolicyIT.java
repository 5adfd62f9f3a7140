package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a process inherits from a server whose environment is known to the last variable. */
@Timeout(60)
class EnvPolicyIT {
    private static final Map<String, String> OF_THE_SERVER = Map.of(
            "PATH", "/usr/bin:/bin",
            "HOME", "/root",
            "LANG", "C.UTF-8",
            "TERM", "xterm",
            "MONKEY", "1",
            "A_token", "2",
            "PASSWORD", "3",
            "GITHUB_PAT", "4",
            "CODEX_THREAD", "5");

    private static ServerProcess server;

    private WireClient client;

    @BeforeAll
    static void start() {
        server = ServerProcess.listening(prefix(), Map.of());
    }

    private static List<String> prefix() {
        List<String> line = new ArrayList<>(List.of("env", "-i"));
        OF_THE_SERVER.forEach((name, value) -> line.add(name + "=" + value));
        line.add("CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN=secret");
        return line;
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void connect() {
        client = WireClient.connect(server.port());
        client.handshake();
    }

    @Test
    void withoutAPolicyThereIsExactlyWhatIsGiven() {
        RemoteProcess process = client.start(Start.of("/usr/bin/env").with("env", Map.of("ONLY", "this")));
        process.closed();
        assertThat(process.text()).isEqualTo("ONLY=this\n");
    }

    @Test
    void coreIsAShortListAndNotTerm() {
        assertThat(environment(policy("core"))).containsOnlyKeys("PATH", "HOME", "LANG");
    }

    @Test
    void allLeavesOutWhatLooksSecretUnlessToldOtherwise() {
        assertThat(environment(policy("all")))
                .containsOnlyKeys("PATH", "HOME", "LANG", "TERM", "PASSWORD", "GITHUB_PAT", "CODEX_THREAD");
        Map<String, Object> everything = policy("all");
        everything.put("ignoreDefaultExcludes", true);
        assertThat(environment(everything)).isEqualTo(new TreeMap<>(OF_THE_SERVER));
    }

    @Test
    void patternsAreWholeNamesInAnyCase() {
        Map<String, Object> policy = policy("all");
        policy.put("exclude", List.of("pass*", "github_pa?", "ODEX*"));
        assertThat(environment(policy)).containsOnlyKeys("PATH", "HOME", "LANG", "TERM", "CODEX_THREAD");
    }

    @Test
    void whatIsSetIsNotExcludedButMustBeIncluded() {
        Map<String, Object> policy = policy("none");
        policy.put("exclude", List.of("A*"));
        policy.put("set", Map.of("A_KEY", "1", "B", "2"));
        assertThat(environment(policy)).isEqualTo(Map.of("A_KEY", "1", "B", "2"));
        policy.put("includeOnly", List.of("a*"));
        assertThat(environment(policy)).isEqualTo(Map.of("A_KEY", "1"));
    }

    @Test
    void theGivenVariablesLieOverEverything() {
        Map<String, Object> policy = policy("all");
        policy.put("includeOnly", List.of("PATH"));
        Start start = Start.of("/usr/bin/env")
                .with("envPolicy", policy)
                .with("env", Map.of("PATH", "/other", "MY_TOKEN", "t", "CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN", "x"));
        assertThat(environment(start)).isEqualTo(Map.of("PATH", "/other", "MY_TOKEN", "t"));
    }

    @Test
    void aTerminalGetsTheSame() {
        assertThat(environment(Start.of("/usr/bin/env")
                                .tty()
                                .with("env", Map.of())
                                .with("envPolicy", policy("core")))
                        .keySet())
                .isEqualTo(Set.of("PATH", "HOME", "LANG"));
    }

    @Test
    void allFiveMembersAreRequired() {
        for (String member : policy("all").keySet()) {
            Map<String, Object> policy = policy("all");
            policy.remove(member);
            assertThat(client.sendStart(Start.of("/usr/bin/env").with("envPolicy", policy))
                            .started()
                            .errorCode())
                    .as(member)
                    .isEqualTo(-32602);
        }
    }

    private static Map<String, Object> policy(String inherit) {
        return new HashMap<>(Map.of(
                "inherit",
                inherit,
                "ignoreDefaultExcludes",
                false,
                "exclude",
                List.of(),
                "set",
                Map.of(),
                "includeOnly",
                List.of()));
    }

    private Map<String, String> environment(Map<String, Object> policy) {
        return environment(Start.of("/usr/bin/env").with("env", Map.of()).with("envPolicy", policy));
    }

    private Map<String, String> environment(Start start) {
        RemoteProcess process = client.start(start);
        process.closed();
        Map<String, String> found = new TreeMap<>();
        process.text().lines().forEach(line -> found.put(line.split("=", 2)[0], line.split("=", 2)[1]));
        found.remove("PWD"); // where a shell has started the server
        return found;
    }
}
