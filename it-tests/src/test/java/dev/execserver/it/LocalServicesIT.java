package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.ManagedNetwork;
import dev.execserver.it.support.ProxyConfig;
import dev.execserver.it.support.RawHttpServer;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Services of this machine that a command may use by a rule for their port, beside servers of its own. */
@Timeout(180)
class LocalServicesIT {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final String CODE = "curl -sS -m 60 -o /dev/null -w '%%{http_code}\n' http://%s:%d/ 2>&1;";

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    @TempDir
    private Path workspace;

    private RawHttpServer open;
    private RawHttpServer shut;

    private static RawHttpServer greeting() {
        return RawHttpServer.answering((request, out) -> {
            out.write(RawHttpServer.ok("hello"));
            throw new IOException("closed");
        });
    }

    @BeforeEach
    void listen() {
        open = greeting();
        shut = greeting();
    }

    @AfterEach
    void end() {
        open.close();
        shut.close();
    }

    private String output(String rule, String script) {
        return output(ProxyConfig.allowing(rule + ":" + open.port()), script);
    }

    private String output(ProxyConfig config, String script) {
        RemoteProcess process = SERVER.client()
                .start(ManagedNetwork.confined(Start.bash(script), workspace)
                        .env("LANG", "C")
                        .with(
                                "networkProxy",
                                config.with("transparentTcp", true)
                                        .with("allowLocalBinding", true)
                                        .json()));
        process.closed(LIMIT);
        return process.text();
    }

    private static String code(String host, int port) {
        return CODE.formatted(host, port);
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1"})
    void aPortIsReachedByBothNamesWhateverNoProxySays(String rule) {
        String both = code("localhost", open.port()) + code("127.0.0.1", open.port());
        assertThat(output(rule, both)).as("NO_PROXY as it was set").isEqualTo("200\n200\n");
        assertThat(output(rule, "export NO_PROXY= no_proxy=;" + both))
                .as("through the proxy")
                .isEqualTo("200\n200\n");
        assertThat(output(rule, "export NO_PROXY='*' no_proxy='*';" + both))
                .as("by itself")
                .isEqualTo("200\n200\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1"})
    void noOtherPortIs(String rule) {
        String others = code("localhost", shut.port()) + code("127.0.0.1", shut.port());
        assertThat(output(rule, others)).contains("connect to server").doesNotContain("200");
        assertThat(output(rule, "export NO_PROXY= no_proxy=;" + others)).isEqualTo("403\n403\n");
    }

    @ParameterizedTest
    @CsvSource({"localhost, 127.0.0.1", "127.0.0.1, localhost", "::1, 127.0.0.1"})
    void inModeObserveAPortIsReachedUnlessOneOfItsNamesIsToBeReviewed(String reviewed, String used) {
        String script = "export NO_PROXY='*' no_proxy='*';" + code(used, open.port());

        assertThat(output(ProxyConfig.nothing().with("mode", "observe"), script))
                .isEqualTo("200\n");
        assertThat(output(ProxyConfig.nothing().with("mode", "observe").review(reviewed), script))
                .doesNotContain("200");
    }

    @ParameterizedTest
    @ValueSource(strings = {"AF_INET, 127.0.0.1", "AF_INET6, ::"})
    void aServerOfTheCommandComesBeforeARuleForItsPort(String place) {
        String[] own = place.split(", ");
        assertThat(output("127.0.0.1", """
                /usr/bin/python3 -c '
                import socket
                def said(s):
                    c = socket.create_connection(("127.0.0.1", %1$d))
                    c.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")
                    if s is not None: s.accept()[0].sendall(b"own")
                    return c.recv(3).decode()
                print(said(None))
                s = socket.socket(socket.%2$s)
                s.bind(("%3$s", %1$d))
                s.listen()
                print(said(s))
                s.close()
                print(said(None))' 2>&1
                """.formatted(open.port(), own[0], own[1])))
                .isEqualTo("HTT\nown\nHTT\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1"})
    void aServerOfTheCommandIsReachedInsideAndShadowsNoOther(String rule) {
        String serve = """
                /usr/bin/python3 -c '
                import http.server
                s = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
                open("port", "w").write("%%d\\n" %% s.server_port)
                s.serve_forever()' 2>/dev/null &
                while [ ! -s port ]; do :; done
                read -r port <port
                curl -sS -o /dev/null -w '%%{http_code}\n' http://127.0.0.1:$port/port
                curl -sS -o /dev/null -w '%%{http_code}\n' http://localhost:$port/port
                %s
                kill $!
                """;
        assertThat(output(rule, serve.formatted(code("localhost", open.port()))))
                .isEqualTo("200\n200\n200\n");
    }
}
