package dev.execserver.server;

import static dev.execserver.server.rpc.FloorRule.FILES;
import static dev.execserver.server.rpc.FloorRule.NETWORK;
import static dev.execserver.server.rpc.FloorRule.OWN;
import static dev.execserver.server.rpc.FloorRule.START;
import static dev.execserver.server.rpc.FloorRule.TELL;
import static dev.execserver.server.rpc.FloorRule.WATCH;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.execserver.server.app.AppMethods;
import dev.execserver.server.methods.ApproverMethods;
import dev.execserver.server.methods.DiscoveryMethods;
import dev.execserver.server.methods.EnvironmentMethods;
import dev.execserver.server.methods.FileMethods;
import dev.execserver.server.methods.HttpMethods;
import dev.execserver.server.methods.ObserverMethods;
import dev.execserver.server.methods.ProcessMethods;
import dev.execserver.server.methods.SandboxMethods;
import dev.execserver.server.methods.SessionMethods;
import dev.execserver.server.methods.WatchMethods;
import dev.execserver.server.rpc.FloorRule;
import dev.execserver.server.rpc.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Decision of the operator's floor about each method: a new method has to be put into this list. */
class MethodRowsTest {
    /** The code that the rows call enforces each rule; OperatorFloorIT and similar tests try them. */
    private static final Map<String, FloorRule> DECISIONS = Map.ofEntries(
            entry("process/start", START),
            entry("process/read", OWN),
            entry("process/write", OWN),
            entry("process/signal", OWN),
            entry("process/terminate", OWN),
            entry("process/closeStdin", OWN),
            entry("process/resize", OWN),
            entry("process/list", TELL),
            entry("session/end", OWN),
            entry("session/list", TELL),
            entry("session/observe", TELL),
            entry("process/wait", TELL),
            entry("exec/allowApprover", OWN),
            entry("exec/approve", OWN),
            entry("environment/info", TELL),
            entry("environment/status", TELL),
            entry("environmentConfig/read", TELL),
            entry("sandbox/status", TELL),
            entry("rpc.discover", TELL),
            entry("fs/readFile", FILES),
            entry("fs/writeFile", FILES),
            entry("fs/createDirectory", FILES),
            entry("fs/getMetadata", FILES),
            entry("fs/canonicalize", FILES),
            entry("fs/readDirectory", FILES),
            entry("fs/walk", FILES),
            entry("fs/remove", FILES),
            entry("fs/copy", FILES),
            entry("fs/rename", FILES),
            entry("fs/append", FILES),
            entry("fs/setMode", FILES),
            entry("fs/search", FILES),
            entry("fs/open", FILES),
            entry("fs/readBlock", OWN),
            entry("fs/writeBlock", OWN),
            entry("fs/close", OWN),
            entry("fs/watch", WATCH),
            entry("fs/watchMissing", WATCH),
            entry("fs/unwatch", OWN),
            entry("http/request", NETWORK),
            entry("http/request/cancel", OWN));

    /** Commands of the app-server dialect pass the same checks as a process/start. */
    private static final Map<String, FloorRule> APP_DECISIONS = Map.ofEntries(
            entry("command/exec", START),
            entry("command/exec/write", OWN),
            entry("command/exec/resize", OWN),
            entry("command/exec/terminate", OWN),
            entry("process/spawn", START),
            entry("process/writeStdin", OWN),
            entry("process/resizePty", OWN),
            entry("process/kill", OWN),
            entry("permissionProfile/list", TELL));

    private static List<Method<?>> rows() {
        List<Method<?>> rows = new ArrayList<>();
        rows.addAll(new ProcessMethods(null, null).methods());
        rows.addAll(SessionMethods.methods());
        rows.addAll(DiscoveryMethods.methods());
        rows.addAll(new EnvironmentMethods(null, null, List::of).methods());
        rows.addAll(new SandboxMethods(null, null).methods());
        rows.addAll(new ApproverMethods(null, null).methods());
        rows.addAll(new ObserverMethods(null, null, null).methods());
        rows.addAll(new FileMethods(null, null, Optional::empty).methods());
        rows.addAll(new WatchMethods(null, null, null).methods());
        rows.addAll(new HttpMethods(null, Map.of(), List.of(), null, () -> {}).methods());
        return rows;
    }

    @Test
    void everyMethodHasItsDecision() {
        assertThat(rows().stream().collect(Collectors.toMap(Method::name, Method::floor)))
                .containsExactlyInAnyOrderEntriesOf(DECISIONS);
    }

    @Test
    void everyMethodOfTheAppServerDialectHasItsDecision() {
        assertThat(new AppMethods(null).methods().stream().collect(Collectors.toMap(Method::name, Method::floor)))
                .containsExactlyInAnyOrderEntriesOf(APP_DECISIONS);
    }

    /** The schema is written from a list of its own, in which a new method has to be entered too. */
    @Test
    void theSchemaDescribesEveryMethod() throws Exception {
        assertThat(described("exec", false))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(Stream.of("initialize"), rows().stream().map(Method::name))
                                .toList());
        assertThat(described("exec", true))
                .containsExactlyInAnyOrderElementsOf(rows().stream()
                        .filter(Method::additive)
                        .map(Method::name)
                        .toList());
        assertThat(described("app", false))
                .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                Stream.of("initialize"),
                                new AppMethods(null).methods().stream().map(Method::name))
                        .toList());
    }

    private static List<String> described(String dialect, boolean additiveOnly) throws Exception {
        JsonNode methods = new ObjectMapper()
                .readTree(Files.readString(Path.of("../docs/schema/" + dialect + ".json")))
                .get("x-methods");
        return methods.properties().stream()
                .filter(method -> method.getValue().get("sender").asText().equals("client"))
                .filter(method -> method.getValue().has("result"))
                .filter(method ->
                        !additiveOnly || method.getValue().path("additive").asBoolean())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Assembly adds the methods of as many families as this list covers. */
    @Test
    void noFamilyIsMissing() throws Exception {
        String assembly = Files.readString(Path.of("src/main/java/dev/execserver/server/Assembly.java"));
        assertThat(assembly.split("methods\\.addAll\\(", -1)).hasSize(1 + 10);
    }
}
