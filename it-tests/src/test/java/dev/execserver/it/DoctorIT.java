package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.Program;
import dev.execserver.it.support.SelfSigned;
import dev.execserver.it.support.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The doctor looks at what the settings of a server need. */
@Timeout(120)
class DoctorIT {
    @TempDir
    private Path folder;

    @Test
    void aServerThatWouldNotStartIsAFailure() throws Exception {
        JsonNode missing = examine("ws-auth=capability-token\nws-token-file=" + folder + "/none\n", 1);
        assertThat(finding(missing, "configuration").get("status").asText()).isEqualTo("missing");
        assertThat(finding(missing, "configuration").get("result").asText()).contains(folder + "/none");

        JsonNode elsewhere = examine("listen=ws://203.0.113.1:4000\n", 1);
        assertThat(finding(elsewhere, "address").get("status").asText()).isEqualTo("missing");
    }

    @Test
    void whatCouldBeBetterIsAWarning() throws Exception {
        SelfSigned pair = SelfSigned.make(folder, "server");
        pair.write(folder.resolve("cert.pem"), folder.resolve("key.pem"));
        Files.setPosixFilePermissions(folder.resolve("key.pem"), PosixFilePermissions.fromString("rw-r--r--"));
        try (ServerProcess server = ServerProcess.listening()) {
            JsonNode found = examine(
                    "listen=ws://0.0.0.0:%d\ntls-cert=%s/cert.pem\ntls-key=%s/key.pem\n"
                            .formatted(server.port(), folder, folder),
                    3);

            assertThat(finding(found, "secrets").get("result").asText()).contains("key.pem");
            assertThat(finding(found, "certificate").get("status").asText()).isEqualTo("ok");
            assertThat(finding(found, "access").get("status").asText()).isEqualTo("warning");
            assertThat(finding(found, "spill space").get("result").asText()).contains("MiB free");
        }
    }

    private JsonNode examine(String settings, int status) throws Exception {
        Path file = Files.writeString(folder.resolve("server.properties"), settings);
        Program doctor = Program.run(folder, "", "doctor", "--json", "--config", file.toString());
        assertThat(doctor.status()).as(doctor.out() + doctor.err()).isEqualTo(status);
        return Json.parse(doctor.out());
    }

    private static JsonNode finding(JsonNode status, String subject) {
        for (JsonNode finding : status.get("findings")) {
            if (finding.get("layer").asText().equals(subject)) {
                return finding;
            }
        }
        throw new AssertionError("nothing is said about " + subject + ": " + status);
    }
}
