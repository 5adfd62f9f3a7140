package dev.execserver.it.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.AccessLogFile;
import dev.execserver.it.support.Authority;
import dev.execserver.it.support.SelfSigned;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.VarTmp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that log in with a certificate of TLS: the operator says which subjects may, and under which name. */
@Timeout(180)
class ClientCertificatesIT {
    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final String CLIENTS = """
            {"clients":[
             {"name":"ci","certificates":["subject:CN=ci,O=Example"]},
             {"name":"agent","certificates":["dns:agent.example.org","uri:spiffe://example.org/agent"],
              "methods":["fs/*"]}]}
            """;

    @TempDir(factory = VarTmp.class)
    private Path base;

    private SelfSigned own;
    private Authority authority;
    private Path trusted;
    private AccessLogFile log;
    private ServerProcess server;

    @BeforeEach
    void start() throws Exception {
        own = SelfSigned.make(base, "server");
        own.write(base.resolve("cert.pem"), base.resolve("key.pem"));
        authority = Authority.make(base, "authority");
        trusted = Files.copy(authority.certificate(), base.resolve("trusted.pem"));
        Path clients = Files.writeString(base.resolve("clients.json"), CLIENTS);
        log = new AccessLogFile(base.resolve("access.log"));
        server = log.server(
                List.of(
                        "--tls-cert",
                        base.resolve("cert.pem").toString(),
                        "--tls-key",
                        base.resolve("key.pem").toString(),
                        "--tls-client-ca",
                        trusted.toString()),
                List.of("--ws-auth", "named-clients", "--clients-file", clients.toString()));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private HttpResponse<String> get(SSLContext context) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newBuilder().sslContext(context).build()) {
            return http.send(
                    HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + "/files?path="
                                    + base.resolve("clients.json")))
                            .timeout(LIMIT)
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    @Test
    void aSubjectThatTheOperatorHasNamedLogsInUnderItsName() throws Exception {
        assertThat(get(authority.client("/O=Example/CN=ci", "", own)).statusCode())
                .isEqualTo(200);
        assertThat(log.await("file.transferred").get("user.id").asText()).isEqualTo("ci");
    }

    @Test
    void anAlternativeNameCountsAndRightsHoldForCertificatesToo() throws Exception {
        assertThat(get(authority.client("/CN=x", "DNS:Agent.example.org", own)).body())
                .contains("agent may not use files/read");
        assertThat(get(authority.client("/CN=y", "URI:spiffe://example.org/agent", own))
                        .body())
                .contains("agent may not use files/read");
    }

    @Test
    void otherSubjectsAndClientsWithoutACertificateAreRefused() throws Exception {
        assertThat(get(authority.client("/O=Example/CN=ci2", "", own)).statusCode())
                .isEqualTo(401);
        assertThat(get(authority.client("/O=Example/OU=x/CN=ci", "", own)).statusCode())
                .isEqualTo(401);
        assertThat(get(authority.client("/CN=agent.example.org", "DNS:agent.example.org.evil.org", own))
                        .statusCode())
                .isEqualTo(401);
        assertThat(get(own.trusting()).statusCode()).isEqualTo(401);
    }

    @Test
    void aCertificateOfAnotherAuthorityIsRefusedUntilTheFileNamesThatAuthority() throws Exception {
        SSLContext before = authority.client("/O=Example/CN=ci", "", own);
        assertThat(get(before).statusCode()).isEqualTo(200);
        Authority other = Authority.make(base, "other");
        SSLContext client = other.client("/O=Example/CN=ci", "", own);
        assertThat(get(client).statusCode())
                .as("it shows none, because its authority is not named")
                .isEqualTo(401);
        Path next = Files.copy(other.certificate(), base.resolve("next.pem"));
        Files.move(next, trusted, StandardCopyOption.ATOMIC_MOVE);
        await().atMost(LIMIT).ignoreExceptions().until(() -> get(client).statusCode() == 200);
        assertThat(get(before).statusCode())
                .as("no session of before is resumed")
                .isEqualTo(401);
    }
}
