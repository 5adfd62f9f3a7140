package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The handshake, and what {@code --protocol open} (the default) accepts that {@code --protocol strict} refuses. */
@Timeout(60)
class DialectIT {
    private static final List<String> FEATURES = List.of(
            "process/resize",
            "process/closeStdin",
            "process/signal",
            "process/list",
            "size",
            "timeoutMs",
            "idleTimeoutMs",
            "closeGraceMs",
            "push",
            "graceMs",
            "foreground",
            "fs/setMode",
            "mode");

    @Nested
    class Open {
        @RegisterExtension
        static final SharedServer SERVER = SharedServer.with();

        @Test
        void initializeNamesTheFeatures() {
            WireClient client = SERVER.silentClient();
            JsonNode features = client.handshake().path("features");

            assertThat(features.isArray()).isTrue();
            assertThat(features).map(JsonNode::asText).containsAll(FEATURES);
        }

        @Test
        void initializeAnswersASessionAndTheEnvironment() {
            JsonNode result = SERVER.silentClient().handshake();

            assertThat(result.get("sessionId").textValue())
                    .matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
            JsonNode environment = result.get("environmentInfo");
            assertThat(environment.get("platformOs").textValue()).isEqualTo("linux");
            assertThat(environment.get("cwd").textValue()).startsWith("file:///");
            assertThat(environment.get("shell").get("path").textValue()).startsWith("/");
        }

        /** Clients do these only where they are told that they can; a test of each is with its area. */
        @Test
        void whatWorksIsAmongTheCapabilitiesAndNothingElse() {
            JsonNode capabilities =
                    SERVER.silentClient().handshake().get("environmentInfo").get("capabilities");

            assertThat(Json.names(capabilities))
                    .filteredOn(name -> capabilities.get(name).booleanValue())
                    .containsExactlyInAnyOrder(
                            "environmentConfigRead",
                            "fileWriteStreaming",
                            "fsWatchMissing",
                            "httpHeaderEnvVars",
                            "networkProxyLaunch",
                            "networkProxyReviewDomains",
                            "networkProxyTransparentTcp",
                            "sandboxedFileStreaming");
        }

        @Test
        void environmentInfoRepeatsWhatInitializeSaid() {
            WireClient client = SERVER.silentClient();
            JsonNode result = client.handshake();

            assertThat(client.call("environment/info").result()).isEqualTo(result.get("environmentInfo"));
        }

        @Test
        void everySessionIdIsNew() {
            assertThat(SERVER.silentClient().handshake().get("sessionId"))
                    .isNotEqualTo(SERVER.silentClient().handshake().get("sessionId"));
        }

        @Test
        void beforeInitializeRequestsAreRefused() {
            WireClient client = SERVER.silentClient();

            assertThat(client.call("environment/status").errorMessage())
                    .isEqualTo("client must call initialize before using environment status methods");
            Answer start = client.sendStart(Start.of("true")).started();
            assertThat(start.errorCode()).isEqualTo(-32600);
            assertThat(start.errorMessage()).isEqualTo("client must call initialize before using exec methods");
        }

        @Test
        void betweenInitializeAndInitializedRequestsAreRefused() {
            WireClient client = SERVER.silentClient();
            client.call("initialize", "clientName", "x").result();

            assertThat(client.sendStart(Start.of("true")).started().errorMessage())
                    .isEqualTo("client must send initialized before using exec methods");
        }

        @Test
        void theMissingHandshakeIsToldBeforeAnythingElse() {
            WireClient client = SERVER.silentClient();

            assertThat(client.call("process/start", "argv", 1).errorMessage())
                    .isEqualTo("client must call initialize before using exec methods");
            assertThat(client.call("no/such").errorMessage())
                    .isEqualTo("client must call initialize before using any methods");
        }

        @Test
        void anErrorAboutBase64NamesTheMember() {
            WireClient client = SERVER.client();
            for (String method : List.of("process/write", "fs/writeBlock")) {
                Answer answer = client.call(
                        method, "processId", "p", "handleId", "h", "offset", 0, "chunk", "*", "writeId", "1");

                assertThat(answer.errorCode()).isEqualTo(-32602);
                assertThat(answer.errorMessage())
                        .isEqualTo("`chunk` is not valid Base64: Invalid symbol 42, offset 0.");
                assertThat(answer.error().at("/data/member").asText()).isEqualTo("chunk");
            }
        }

        @Test
        void initializeMayBeSentOnce() {
            Answer second = SERVER.client().call("initialize", "clientName", "again");

            assertThat(second.errorCode()).isEqualTo(-32600);
            assertThat(second.errorMessage()).isEqualTo("initialize may only be sent once per connection");
        }

        @Test
        void anUnknownSessionCannotBeResumed() {
            Answer answer = SERVER.silentClient().call("initialize", "clientName", "x", "resumeSessionId", "gone");

            assertThat(answer.errorCode()).isEqualTo(-32600);
            assertThat(answer.errorMessage()).isEqualTo("unknown session id gone");
        }

        @Test
        void aFailedInitializeMayBeRepeated() {
            WireClient client = SERVER.silentClient();
            client.call("initialize", "clientName", "x", "resumeSessionId", "gone")
                    .error();

            assertThat(client.handshake().get("sessionId").textValue()).isNotBlank();
        }

        @Test
        void aNativeCwdIsTakenLiterally() {
            Answer start = SERVER.client()
                    .sendStart(Start.of("pwd").with("cwd", "/tmp"))
                    .started();
            Answer percent = SERVER.client()
                    .sendStart(Start.of("pwd").with("cwd", "/tm%70"))
                    .started();

            assertThat(start.failed()).isFalse();
            assertThat(percent.error().path("data").path("path").asText()).isEqualTo("/tm%70");
        }

        @Test
        void aWriteWithoutAnIdIsAPlainWrite() {
            WireClient client = SERVER.client();
            var process = client.start(Start.of("cat").stdin());
            process.send("process/write", "chunk", "QQ==").result();
            process.send("process/write", "chunk", "Qg==", "writeId", null).result();

            process.awaitText("AB");
        }

        @Test
        void optionalMembersOfAnOlderClientMayBeAbsent() {
            var process =
                    SERVER.client().start(Start.of("true").without("pipeStdin").without("arg0"));

            assertThat(process.exited().exitCode()).isZero();
        }
    }

    @Nested
    class Strict {
        @RegisterExtension
        static final SharedServer SERVER = SharedServer.with("--protocol", "strict");

        @Test
        void malformedParamsAreFoundBeforeTheHandshakeIsMissed() {
            WireClient client = SERVER.silentClient();

            assertThat(client.call("process/start", "argv", 1).errorCode()).isEqualTo(-32602);
        }

        @Test
        void unknownMethodsAreUnknownBeforeTheHandshakeToo() {
            Answer answer = SERVER.silentClient().call("process/strat");

            assertThat(answer.errorCode()).isEqualTo(-32601);
            assertThat(answer.errorMessage()).isEqualTo("exec-server stub does not implement `process/strat` yet");
        }

        @Test
        void anErrorAboutBase64HasTheTextOfTheReference() {
            Answer answer = SERVER.client().call("process/write", "processId", "p", "chunk", "*", "writeId", "1");

            assertThat(answer.errorMessage()).isEqualTo("Invalid symbol 42, offset 0.");
        }

        @Test
        void initializeSaysNothingOfFeatures() {
            assertThat(Json.names(SERVER.silentClient().handshake())).containsExactly("sessionId", "environmentInfo");
        }

        @Test
        void aNativeCwdIsNoUri() {
            Answer answer = SERVER.client()
                    .sendStart(Start.of("true").with("cwd", "/tmp"))
                    .started();

            assertThat(answer.errorCode()).isEqualTo(-32602);
            assertThat(answer.errorMessage()).contains("invalid URI: relative URL without a base");
        }

        @Test
        void aWriteNeedsAnId() {
            WireClient client = SERVER.client();
            client.start(Start.of("cat").stdin().id("p"));

            assertThat(client.call("process/write", "processId", "p", "chunk", "QQ==")
                            .errorCode())
                    .isEqualTo(-32602);
        }

        @Test
        void additiveMethodsAreUnknown() {
            WireClient client = SERVER.client();
            for (String method : List.of("process/resize", "process/closeStdin", "process/list")) {
                assertThat(client.call(method, "processId", "p").errorCode()).isEqualTo(-32601);
            }
        }

        @Test
        void onlyInterruptIsASignal() {
            WireClient client = SERVER.client();
            client.start(Start.of("sleep", "20").id("p"));

            assertThat(client.call("process/signal", "processId", "p", "signal", "TERM")
                            .errorCode())
                    .isEqualTo(-32602);
            assertThat(client.call("process/signal", "processId", "p", "signal", "interrupt")
                            .result())
                    .isEmpty();
        }

        @Test
        void additiveMembersAreIgnoredAsUnknown() {
            var process = SERVER.client()
                    .start(Start.shell("stty size; sleep 0.6")
                            .tty()
                            .with("size", Map.of("cols", 132, "rows", 43))
                            .with("timeoutMs", 200)
                            .with("push", false));

            assertThat(process.exited().exitCode()).isZero();
            assertThat(process.text()).isEqualTo("24 80\r\n");
        }
    }
}
