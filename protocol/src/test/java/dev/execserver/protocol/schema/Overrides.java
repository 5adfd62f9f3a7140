package dev.execserver.protocol.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The parts of the schema that cannot be derived from the code: {@code overrides.json}. */
final class Overrides {

    /**
     * Members of another type that an object also has.
     *
     * @param additive true if they are additions to the protocol
     */
    record Include(String type, boolean additive) {}

    private final JsonNode root;

    private Overrides(JsonNode root) {
        this.root = root;
    }

    static Overrides load() {
        try (InputStream in = Overrides.class.getResourceAsStream("/schema/overrides.json")) {
            return new Overrides(new ObjectMapper().readTree(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the schema of a type that is written by hand. */
    Optional<ObjectNode> type(String name) {
        return object(root.path("types").path(name));
    }

    /** Returns the schema of a member whose kind the code does not show. Some are for the members of all types. */
    Optional<ObjectNode> member(String type, String member) {
        return object(root.path("members").path(type + "." + member))
                .or(() -> object(root.path("members").path("*." + member)));
    }

    /** Returns a text for a type, or for a member as {@code Type.member}, that replaces the Javadoc. */
    Optional<String> description(String name) {
        return Optional.ofNullable(root.path("descriptions").path(name).textValue());
    }

    /** Returns the name of the type that a method reads. */
    Optional<String> nestedName(String method) {
        return Optional.ofNullable(root.path("names").path(method).textValue());
    }

    List<Include> includes(String type) {
        List<Include> includes = new ArrayList<>();
        root.path("includes")
                .path(type)
                .properties()
                .forEach(entry -> includes.add(
                        new Include(entry.getKey(), entry.getValue().asText().equals("additive"))));
        return includes;
    }

    private static Optional<ObjectNode> object(JsonNode node) {
        return node instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
    }
}
