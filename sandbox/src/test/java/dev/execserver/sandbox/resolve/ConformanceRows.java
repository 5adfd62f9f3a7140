package dev.execserver.sandbox.resolve;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.sandbox.paths.LinuxPath;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the rows of sandbox-cases.json that have a profile, each with policy and layout. */
final class ConformanceRows {
    private ConformanceRows() {}

    /**
     * One row.
     *
     * @param policy JSON with placeholders
     * @param layout shell lines with placeholders
     * @param environment without the variables that all rows have
     */
    record Row(String id, String policy, List<String> layout, Map<String, String> environment) {

        PermissionProfile profile(Tree tree) {
            return PermissionProfile.read(JsonSlice.of(filled(policy, tree)), Dialect.OPEN);
        }

        PolicyDirectories directories(Tree tree) {
            LinuxPath workspace = tree.path("ws");
            Optional<LinuxPath> tmpdir = Optional.ofNullable(environment.get("TMPDIR"))
                    .filter(value -> value.startsWith("$"))
                    .map(value -> LinuxPath.of(filled(value, tree)));
            return new PolicyDirectories(Optional.of(workspace), List.of(workspace), tmpdir, Optional.empty());
        }

        /** Makes the files that every row has, and those of this row. */
        void plant(Tree tree) {
            tree.directory("ws").file("outside/secret", "secret");
            layout.forEach(line -> tree.shell("ws", filled(line, tree)));
        }
    }

    static String filled(String text, Tree tree) {
        String base = tree.root().toString();
        return text.replace("${WS}", base + "/ws")
                .replace("${OUT}", base + "/outside")
                .replace("${BASE}", base);
    }

    static Map<String, Row> all() {
        Map<String, Row> rows = new LinkedHashMap<>();
        try (InputStream in = ConformanceRows.class.getResourceAsStream("/sandbox-cases.json")) {
            for (JsonNode node : new ObjectMapper().readTree(in).get("cases")) {
                if (node.get("policy").has("type")) {
                    Row row = row(node);
                    rows.put(row.id(), row);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return rows;
    }

    private static Row row(JsonNode node) {
        List<String> layout = new ArrayList<>();
        node.get("layout").forEach(line -> layout.add(line.asText()));
        Map<String, String> environment = new LinkedHashMap<>();
        node.path("env")
                .properties()
                .forEach(member ->
                        environment.put(member.getKey(), member.getValue().asText()));
        return new Row(node.get("id").asText(), node.get("policy").toString(), layout, environment);
    }
}
