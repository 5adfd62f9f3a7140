package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.AppClient;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Members that nobody knows, with each value of {@code --strict-members}. */
@Timeout(60)
class StrictMembersIT {
    private static final String WARNING = "unknown member `timeout`; did you mean `timeoutMs`?";

    private static JsonNode misspelt() {
        return Start.of("true").with("timeout", 5_000).params();
    }

    @Nested
    class Off {
        @RegisterExtension
        static final SharedServer SERVER = SharedServer.with();

        @Test
        void anUnknownMemberIsIgnored() {
            Answer answer = SERVER.client().send("process/start", misspelt()).answer();

            assertThat(answer.result().get("processId").textValue()).isNotEmpty();
            assertThat(answer.message().has("warnings")).isFalse();
        }
    }

    @Nested
    class Warn {
        @RegisterExtension
        static final SharedServer SERVER = SharedServer.with("--strict-members", "warn");

        @Test
        void theAnswerHasAWarningBesideItsResult() {
            Answer answer = SERVER.client().send("process/start", misspelt()).answer();

            assertThat(answer.result().get("processId").textValue()).isNotEmpty();
            assertThat(answer.message().get("warnings"))
                    .extracting(JsonNode::textValue)
                    .containsExactly(WARNING);
        }

        @Test
        void theHandshakeAndFileCallsAndAnswersAtHandHaveThemToo() {
            WireClient client = SERVER.silentClient();
            Answer greeting = client.call("initialize", "clientName", "x", "resume", "y");
            assertThat(greeting.message().at("/warnings/0").textValue())
                    .isEqualTo("unknown member `resume`; did you mean `resumeSessionId`?");
            client.notify("initialized", Json.object());

            Answer metadata = client.call("fs/getMetadata", "path", "file:///tmp", "followSymlink", true);
            assertThat(metadata.message().at("/warnings/0").textValue())
                    .isEqualTo("unknown member `followSymlink`; did you mean `followSymlinks`?");
            Answer status = client.call("environment/status", "verbose", true);
            assertThat(status.message().at("/warnings/0").textValue()).isEqualTo("unknown member `verbose`");
        }

        @Test
        void anErrorHasThemInItsData() {
            Answer read = SERVER.client().call("fs/readFile", "path", "file:///no/such", "maxByte", 1);
            assertThat(read.errorCode()).isEqualTo(-32004);
            assertThat(read.error().at("/data/warnings").textValue())
                    .isEqualTo("unknown member `maxByte`; did you mean `maxBytes`?");

            Answer start = SERVER.client().call("process/start", "procesId", "p");
            assertThat(start.errorMessage()).startsWith("missing field");
            assertThat(start.error().at("/data/warnings").textValue())
                    .isEqualTo("unknown member `procesId`; did you mean `processId`?");
        }

        @Test
        void aRequestWithoutUnknownMembersHasNone() {
            Answer answer = SERVER.client().sendStart(Start.of("true")).started();

            assertThat(answer.message().has("warnings")).isFalse();
        }
    }

    @Nested
    class Refuse {
        @RegisterExtension
        static final SharedServer SERVER = SharedServer.with("--strict-members", "refuse");

        @Test
        void theRequestIsRefusedAndNothingIsDone() {
            WireClient client = SERVER.client();
            Answer answer = client.send("process/start", misspelt()).answer();

            assertThat(answer.errorCode()).isEqualTo(-32602);
            assertThat(answer.errorMessage()).isEqualTo(WARNING);
            assertThat(answer.error().at("/data/reason").textValue()).isEqualTo("unknownMembers");
            assertThat(client.call("process/list").result().get("processes")).isEmpty();
        }

        @Test
        void aMissingHandshakeIsToldFirst() {
            Answer answer =
                    SERVER.silentClient().send("process/start", misspelt()).answer();

            assertThat(answer.errorMessage()).contains("initialize");
        }

        @Test
        void theOtherDialectIsCheckedToo() {
            try (AppClient client = AppClient.connect(SERVER.port())) {
                JsonNode answer = client.handshake(true).call("command/exec", "command", List.of("true"), "timeout", 1);

                assertThat(answer.at("/error/code").intValue()).isEqualTo(-32602);
                assertThat(answer.at("/error/message").textValue()).isEqualTo(WARNING);
            }
        }
    }
}
