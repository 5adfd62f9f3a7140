package dev.execserver.it;

import static dev.execserver.it.support.Policies.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.HostileHelper;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whoever takes a helper over gains nothing: it can do what the policy allows, as a command could, and nothing else. */
@Timeout(120)
class HostileHelperIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** Not below /tmp, where sandboxes may write. */
    @TempDir(factory = VarTmp.class)
    private Path base;

    /** A helper jar that holds the impostor. */
    private Path jar() throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, HostileHelper.class.getName());
        Path jar = base.resolve("impostor.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, manifest)) {
            for (String suffix : new String[] {"", "$Attempt"}) {
                String name = HostileHelper.class.getName().replace('.', '/') + suffix + ".class";
                out.putNextEntry(new JarEntry(name));
                try (InputStream in = HostileHelper.class.getResourceAsStream("/" + name)) {
                    in.transferTo(out);
                }
            }
        }
        return jar;
    }

    @Test
    void anImpostorInTheSandboxCanDoNothingThatThePolicyDenies() throws IOException {
        Path workspace = Files.createDirectory(base.resolve("ws"));
        Path secret = Files.writeString(base.resolve("secret"), "the secret");
        Path outside = Files.writeString(base.resolve("outside"), "as it was");
        try (ServerProcess server = ServerProcess.listening(List.of(), Map.of(), "--helper-jar", jar().toString());
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            Path targets = Files.write(
                    workspace.resolve("targets"),
                    List.of(
                            secret.toString(),
                            outside.toString(),
                            Integer.toString(server.port()),
                            Long.toString(server.pid())));
            ObjectNode params = Json.object("path", targets.toString());
            params.set(
                    "sandbox",
                    Policies.of(
                            workspace, entry("root", "read"), entry("project_roots", "write"), entry(secret, "deny")));
            JsonNode tried =
                    client.sendForAnything("fs/readFile", params).answer(LIMIT).result();

            assertThat(tried.get("read").textValue()).startsWith("failed: java.nio.file.AccessDeniedException");
            assertThat(tried.get("write").textValue()).startsWith("failed: ").contains("Read-only file system");
            assertThat(tried.get("jar").textValue()).startsWith("failed: ").contains("Read-only file system");
            assertThat(tried.get("java").textValue()).startsWith("failed: ").contains("Read-only file system");
            assertThat(tried.get("network").textValue()).startsWith("failed: ").contains("Operation not permitted");
            assertThat(tried.get("process").textValue()).isEqualTo("done: Optional.empty");
            assertThat(tried.get("status").textValue())
                    .isEqualTo("done: CapInh:0000000000000000 CapPrm:0000000000000000 CapEff:0000000000000000"
                            + " CapBnd:0000000000000000 CapAmb:0000000000000000 NoNewPrivs:1 Seccomp:2");
            // What is no path is a pipe, a socket or something of the server's: three streams and nothing more.
            assertThat(Stream.of(tried.get("descriptors").textValue().split("[ ,\\[\\]]+"))
                            .filter(descriptor -> descriptor.contains("=") && !descriptor.contains("=/")))
                    .hasSize(3)
                    .allMatch(descriptor -> descriptor.matches("[012]=(socket|pipe):.*"));
            assertThat(outside).hasContent("as it was");
        }
    }
}
