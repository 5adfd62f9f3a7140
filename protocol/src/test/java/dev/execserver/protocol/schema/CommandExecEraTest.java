package dev.execserver.protocol.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Comparison of {@code command/exec} with the reference's own schema of its params as of April 2026. */
class CommandExecEraTest {

    private static final Set<String> OBJECTS = Set.of("sandboxPolicy", "permissionProfile", "size");

    private final JsonNode theirs = read("protocol/src/test/resources/schema/command-exec-2026-04.json");
    private final JsonNode ours = read("docs/schema/app.json").path("$defs").path("CommandExecParams");

    private static JsonNode read(String path) {
        try {
            return new ObjectMapper().readTree(Files.readString(SchemaFiles.REPOSITORY.resolve(path)));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void membersAndTheirKindsAreTheSame() {
        assertThat(kinds(ours)).isEqualTo(kinds(theirs));
        assertThat(ours.get("required")).isEqualTo(theirs.get("required"));
    }

    @Test
    void theWordsOfPoliciesAreTheSame() {
        JsonNode ourTypes = read("docs/schema/app.json").path("$defs");
        assertThat(words(ourTypes.path("CommandSandboxPolicy")))
                .isEqualTo(words(theirs.path("definitions").path("SandboxPolicy")));
        assertThat(words(ourTypes.path("ReadOnlyAccess")))
                .isEqualTo(words(theirs.path("definitions").path("ReadOnlyAccess")));
    }

    /** The objects are compared by their own tests; their places in the schemas differ. */
    private static Map<String, Set<String>> kinds(JsonNode schema) {
        Map<String, Set<String>> kinds = new TreeMap<>();
        schema.path("properties").properties().forEach(member -> {
            Set<String> types = new TreeSet<>();
            JsonNode type = member.getValue().path("type");
            (type.isArray() ? type : new ObjectMapper().createArrayNode().add(type))
                    .forEach(name -> types.add(name.asText()));
            kinds.put(member.getKey(), OBJECTS.contains(member.getKey()) ? Set.of() : types);
        });
        return kinds;
    }

    private static Map<String, Set<String>> words(JsonNode policy) {
        Map<String, Set<String>> words = new TreeMap<>();
        policy.path("oneOf").forEach(variant -> {
            JsonNode type = variant.path("properties").path("type");
            String word = type.path("const").asText(type.path("enum").path(0).asText());
            words.put(
                    word,
                    variant.path("properties").properties().stream()
                            .map(Map.Entry::getKey)
                            .collect(Collectors.toCollection(TreeSet::new)));
        });
        return words;
    }
}
