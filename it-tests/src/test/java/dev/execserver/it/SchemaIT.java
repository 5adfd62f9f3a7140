package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.Program;
import dev.execserver.it.support.RawHttpClient;
import dev.execserver.it.support.SharedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The protocol as a schema, as a server and the program give it out. */
@Timeout(120)
class SchemaIT {
    private static final Path REPOSITORY = Path.of(System.getProperty("exec.server.repository", ".."));

    @TempDir
    private Path directory;

    private static String document(String name) throws IOException {
        return Files.readString(REPOSITORY.resolve("docs/schema").resolve(name));
    }

    private static RawHttpClient.Response get(int port, String method, String target) throws IOException {
        try (RawHttpClient http = RawHttpClient.connect(port)) {
            return http.head("%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n".formatted(method, target, port))
                    .response(!method.equals("HEAD"));
        }
    }

    @Nested
    class Open {
        /** The document is for everybody, so no token is asked for. */
        @RegisterExtension
        static final SharedServer SERVER = SharedServer.with();

        @Test
        void theServerGivesTheSchemaOverHttp() throws Exception {
            RawHttpClient.Response schema = get(SERVER.port(), "GET", "/schema.json");

            assertThat(schema.status()).isEqualTo(200);
            assertThat(schema.header("content-type")).hasValue("application/json");
            assertThat(schema.text()).isEqualTo(document("exec.json"));
            assertThat(get(SERVER.port(), "GET", "/openrpc.json").text()).isEqualTo(document("exec.openrpc.json"));
            assertThat(get(SERVER.port(), "GET", "/openrpc.json?dialect=app").text())
                    .isEqualTo(document("app.openrpc.json"));
        }

        @Test
        void otherRequestsForTheSchemaAreRefused() throws Exception {
            assertThat(get(SERVER.port(), "GET", "/schema.json?dialect=other").status())
                    .isEqualTo(400);
            assertThat(get(SERVER.port(), "HEAD", "/schema.json").status()).isEqualTo(200);
            assertThat(get(SERVER.port(), "DELETE", "/schema.json").status()).isEqualTo(405);
        }

        @Test
        void aClientDiscoversTheMethods() throws Exception {
            JsonNode found = SERVER.client().call("rpc.discover").result();

            assertThat(found).isEqualTo(Json.parse(document("exec.openrpc.json")));
        }
    }

    @Nested
    class Strict {
        @RegisterExtension
        static final SharedServer SERVER = SharedServer.with("--protocol", "strict");

        @Test
        void theStrictDialectHasNoDiscovery() {
            assertThat(SERVER.client().call("rpc.discover").error().get("code").asInt())
                    .isEqualTo(-32601);
        }
    }

    @Test
    void theProgramPrintsEveryForm() throws Exception {
        assertThat(print()).isEqualTo(document("exec.json"));
        assertThat(print("--dialect", "app", "--format", "jsonschema")).isEqualTo(document("app.json"));
        assertThat(print("--format", "openrpc")).isEqualTo(document("exec.openrpc.json"));
        assertThat(print("--format=asyncapi")).isEqualTo(document("exec.asyncapi.json"));
        assertThat(print("--dialect=app", "--format=typescript"))
                .isEqualTo(Files.readString(REPOSITORY.resolve("clients/typescript/src/app-types.ts")));
        assertThat(Program.run(directory, "", "schema", "--format", "xml"))
                .isEqualTo(new Program(
                        2,
                        "",
                        "Error: --format is openrpc or jsonschema or asyncapi or typescript, not `xml`\n"
                                + "Try `exec-server schema --help`.\n"));
    }

    private String print(String... options) {
        String[] arguments = new String[options.length + 1];
        arguments[0] = "schema";
        System.arraycopy(options, 0, arguments, 1, options.length);
        Program program = Program.run(directory, "", arguments);
        assertThat(program.status()).isZero();
        return program.out();
    }
}
