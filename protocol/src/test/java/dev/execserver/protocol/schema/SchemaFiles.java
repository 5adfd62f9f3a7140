package dev.execserver.protocol.schema;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All generated files, by their path in the repository. */
final class SchemaFiles {

    static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

    private SchemaFiles() {}

    static DialectSchema dialect(String name) {
        return new DialectSchema(
                name, ProtocolSources.parse(REPOSITORY.resolve("protocol/src/main/java")), Overrides.load());
    }

    static Map<String, String> generate() {
        Map<String, String> files = new LinkedHashMap<>();
        DialectSchema base = dialect("exec");
        for (String name : List.of("exec", "app")) {
            DialectSchema dialect = name.equals("exec") ? base : dialect(name);
            Set<String> shared = dialect == base ? Set.of() : dialect.sharedWith(base);
            files.put("docs/schema/" + name + ".json", print(dialect.document()));
            files.put("docs/schema/" + name + ".openrpc.json", print(OpenRpc.document(dialect)));
            files.put("docs/schema/" + name + ".asyncapi.json", print(AsyncApi.document(dialect)));
            String prefix = name.equals("exec") ? "" : name;
            files.put(
                    "clients/typescript/src/" + (prefix.isEmpty() ? "" : prefix + "-") + "types.ts",
                    TypeScriptTypes.of(dialect, shared));
            files.put(
                    "clients/python/exec_server_client/" + (prefix.isEmpty() ? "" : prefix + "_") + "types.py",
                    PythonTypes.of(dialect, shared));
            files.putAll(ReferencePages.of(dialect, Examples.load()));
        }
        return files;
    }

    static String print(JsonNode node) {
        DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter().withObjectIndenter(indenter);
        try {
            return new ObjectMapper().writer(printer).writeValueAsString(node) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
