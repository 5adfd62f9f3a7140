package dev.execserver.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.RequestId;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.ServerMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class DispatcherTest extends ServedConnection {

    @Test
    void theHandshakeGivesASessionAndTheFeatures() throws IOException {
        serve(Dialect.OPEN, 1);
        JsonNode result = ask("{\"id\":1,\"method\":\"initialize\",\"params\":{\"clientName\":\"t\"}}")
                .get("result");
        assertThat(result.get("sessionId").asText()).hasSize(36);
        assertThat(result.get("features").toString()).isEqualTo("[\"added\"]");
        assertThat(result.has("environmentInfo")).isTrue();
    }

    @Test
    void theStrictDialectKnowsNoAdditions() throws IOException {
        serve(Dialect.STRICT, 1);
        JsonNode result = ask("{\"id\":1,\"method\":\"initialize\",\"params\":{\"clientName\":\"t\"}}")
                .get("result");
        assertThat(result.has("features")).isFalse();
        send("{\"method\":\"initialized\"}");
        assertThat(ask("{\"id\":2,\"method\":\"added\"}").at("/error/code").asInt())
                .isEqualTo(-32601);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"id\":1,\"method\":\"quick\"}|-32600|client must call initialize before using exec methods",
                "{\"id\":1,\"method\":\"nope\"}|-32600|client must call initialize before using any methods",
                "{\"id\":1,\"method\":\"initialize\"}|-32602|invalid type: null, expected struct InitializeParams",
                "{\"id\":1,\"method\":\"initialize\",\"params\":{}}|-32602|missing field `clientName`",
                "{\"method\":\"initialized\"}|-32600|client must call initialize before sending initialized",
                "{\"method\":\"gossip\"}|-32600|unexpected notification `gossip`",
                "{\"id\":\"r\",\"result\":1}|-32600|response with id r answers no request of this server"
            })
    void whatComesBeforeTheHandshakeIsAnsweredAndTheConnectionStays(String message, int code, String text)
            throws IOException {
        serve(Dialect.OPEN, 1);
        JsonNode error = ask(message).get("error");
        assertThat(error.get("code").asInt()).isEqualTo(code);
        assertThat(error.get("message").asText()).isEqualTo(text);
        shakeHands();
        assertThat(ask("{\"id\":2,\"method\":\"quick\"}").get("result").asText())
                .isEqualTo("done");
    }

    @Test
    void initializedMustFollowBeforeMethodsAreServed() throws IOException {
        serve(Dialect.OPEN, 1);
        ask("{\"id\":0,\"method\":\"initialize\",\"params\":{\"clientName\":\"t\"}}");
        assertThat(ask("{\"id\":1,\"method\":\"quick\"}").at("/error/message").asText())
                .isEqualTo("client must send initialized before using exec methods");
        assertThat(ask("{\"id\":2,\"method\":\"initialize\",\"params\":{\"clientName\":\"t\"}}")
                        .at("/error/message")
                        .asText())
                .isEqualTo("initialize may only be sent once per connection");
    }

    @Test
    void malformedMessagesAreAnsweredWithIdMinusOne() throws IOException {
        serveReady();
        JsonNode answer = ask("not json");
        assertThat(answer.get("id").asInt()).isEqualTo(-1);
        assertThat(answer.at("/error/code").asInt()).isEqualTo(-32600);
        assertThat(answer.at("/error/message").asText())
                .startsWith("failed to parse JSON-RPC message from exec-server memory: ");
    }

    @Test
    void errorsCarryTheirData() throws IOException {
        serveReady();
        JsonNode error = ask("{\"id\":1,\"method\":\"refused\"}").get("error");
        assertThat(error.toString())
                .isEqualTo("{\"code\":-32603,\"message\":\"no\",\"data\":{\"reason\":\"because\"}}");
    }

    @Test
    void aBugInAMethodIsAnInternalErrorAndTheConnectionStays() throws IOException {
        serveReady();
        assertThat(ask("{\"id\":1,\"method\":\"broken\"}").at("/error/code").asInt())
                .isEqualTo(-32603);
        assertThat(ask("{\"id\":2,\"method\":\"quick\"}").get("result").asText())
                .isEqualTo("done");
    }

    @Test
    void b19_aRequestThatWaitsDelaysNoOther() throws IOException {
        serveReady();
        send("{\"id\":1,\"method\":\"slow\"}");
        assertThat(ask("{\"id\":2,\"method\":\"quick\"}").get("id").asInt()).isEqualTo(2);
    }

    @Test
    void ordinaryRequestsBeyondTheCapWaitButControlOnesDoNot() throws IOException {
        serve(Dialect.OPEN, 2);
        shakeHands();
        for (int id = 1; id <= 5; id++) {
            send("{\"id\":" + id + ",\"method\":\"slow\"}");
        }
        assertThat(ask("{\"id\":6,\"method\":\"urgent\"}").get("result").asText())
                .isEqualTo("now");
        assertThat(running.get()).isLessThanOrEqualTo(2);
        release.countDown();
        for (int id = 1; id <= 5; id++) {
            assertThat(receive().has("result")).isTrue();
        }
        assertThat(running.get()).isEqualTo(5);
    }

    @Test
    void anAnswerAboveTheLimitOfAMessageBecomesAnError() throws IOException {
        serve(Dialect.OPEN, 1);
        JsonWritable huge = g -> {
            g.writeStartArray();
            for (int i = 0; i < 65; i++) {
                g.writeString("x".repeat(1 << 20));
            }
            g.writeEndArray();
        };
        AnswerMemory memory = new AnswerMemory(ServerMemory.of(1L << 40).answers());
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> Outcome.encode(RequestId.of(7), Answer.of(huge), List.of(), memory))
                .matches(e -> e.code() == -32600);
    }

    @Test
    void smallValuesAreCountedWithWhatTheyWeighOnceTheyAreRead() throws IOException {
        serveReady();
        String values = "[" + "0,".repeat(4_999) + "0]";
        send("{\"id\":1,\"method\":\"slow\",\"params\":" + values + "}");
        await().until(() -> memory.received().usedBytes() > 4_900L * RequestGate.VALUE_BYTES);
        release.countDown();
        assertThat(receive().has("result")).isTrue();
        assertThat(ask("{\"id\":2,\"method\":\"no/such\",\"params\":" + values + "}")
                        .has("error"))
                .isTrue();
        await().until(() -> memory.received().usedBytes() == 0);
    }

    @Test
    void aRequestOfMoreValuesThanTheMemoryIsGoodForIsRefusedAndTheConnectionStays() throws IOException {
        serveReady();
        JsonNode refused = ask("{\"id\":1,\"method\":\"quick\",\"params\":[" + "0,".repeat(20_000) + "0]}");
        assertThat(refused.at("/error/data/reason").asText()).isEqualTo("requestMemory");
        assertThat(ask("{\"id\":2,\"method\":\"quick\"}").has("result")).isTrue();
        await().until(() -> memory.received().usedBytes() == 0);
    }

    @ParameterizedTest
    @CsvSource({"true,refused", "true,no/such", "false,refused", "false,no/such"})
    void errorsThatRepeatLongIdsAreCountedAndWaitForMemory(boolean greeted, String method) throws Exception {
        serve(Dialect.OPEN, 100);
        if (greeted) {
            shakeHands();
        }
        String id = "x".repeat(200_000);
        int small = 1_000; // almost fill the pipe
        int requests = small + 60; // far more than the memory for answers holds
        Thread flood = flood(requests, i -> i < small ? "0" : "\"" + id + "\"", method);
        await().until(() -> memory.answers().usedBytes() > memory.answers().maxBytes() / 2);
        for (int i = 0; i < requests; i++) {
            assertThat(receive().has("error")).isTrue();
        }
        flood.join();
        await().until(() -> memory.received().usedBytes() == 0);
        assertThat(memory.answers().usedBytes()).isZero();
    }

    @Test
    void theIdOfInitializeIsShort() throws IOException {
        serve(Dialect.OPEN, 1);
        String rest = ",\"method\":\"initialize\",\"params\":{\"clientName\":\"t\"}}";
        String longest = "i".repeat(Handshake.MAX_ID_CHARS);
        assertThat(ask("{\"id\":\"i" + longest + "\"" + rest).has("error")).isTrue();
        assertThat(ask("{\"id\":\"" + longest + "\"" + rest).has("result")).isTrue();
    }

    @Test
    void requestsThatHaveEndedGiveTheMemoryOfTheirMessagesBack() throws IOException {
        serveReady();
        for (int i = 1; i <= 50; i++) {
            ask("{\"id\":" + i + ",\"method\":\"quick\",\"params\":\"" + "x".repeat(100_000) + "\"}");
        }
        send("{\"method\":\"no/such\"}");
        send("not json");
        ask("{\"id\":99,\"method\":\"no/such\"}");
        await().until(() -> memory.received().usedBytes() == 0);
    }

    private Thread flood(int requests, IntFunction<String> id, String method) {
        return Threads.virtual("flood", () -> {
            try {
                for (int i = 0; i < requests; i++) {
                    send("{\"id\":" + id.apply(i) + ",\"method\":\"" + method + "\"}");
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"true,quick", "true,urgent", "true,no/such", "false,quick", "false,no/such"})
    void requestsOfAPeerThatDoesNotReadWaitInTheKernelAndAllAreAnsweredWhenItReads(boolean greeted, String method)
            throws Exception {
        serve(Dialect.OPEN, 100);
        if (greeted) {
            shakeHands();
        }
        int requests = 6_000;
        Thread flood = flood(requests, i -> Integer.toString(i), method);
        long most = memory.received().maxBytes() * 2 / RequestGate.CONNECTION_SHARE + 200L * RequestGate.REQUEST_BYTES;
        await().during(Duration.ofMillis(300)).until(() -> memory.received().usedBytes() < most);
        assertThat(flood.isAlive()).isTrue();
        for (int i = 0; i < requests; i++) {
            assertThat(receive().has("id")).isTrue();
        }
        await().until(() -> memory.received().usedBytes() == 0);
        assertThat(memory.answers().usedBytes()).isZero();
    }

    @Test
    void moreWaitingRequestsThanTheMemoryIsGoodForAreRefusedAndControlOnesAreNot() throws IOException {
        serve(Dialect.OPEN, 1);
        shakeHands();
        long waiting = memory.received().maxBytes() / RequestGate.CONNECTION_SHARE / RequestGate.REQUEST_BYTES;
        for (int id = 1; id <= waiting + 1; id++) {
            send("{\"id\":" + id + ",\"method\":\"slow\"}");
        }
        JsonNode refused = ask("{\"id\":9999,\"method\":\"slow\"}");
        assertThat(refused.get("id").asInt()).isEqualTo(9999);
        assertThat(refused.at("/error/data/reason").asText()).isEqualTo("tooManyRequests");
        assertThat(ask("{\"id\":1,\"method\":\"urgent\"}").get("result").asText())
                .isEqualTo("now");
    }

    @Test
    void bytesThatAreNotUtf8AreMalformedAndTheConnectionStays() throws IOException {
        serveReady();
        for (byte[] bad :
                List.of(new byte[] {(byte) 0xff}, new byte[] {(byte) 0xc3}, new byte[] {(byte) 0xed, -96, -128})) {
            MessageBuffer out = new MessageBuffer();
            out.ascii("{\"id\":1,\"method\":\"quick\",\"params\":\"");
            out.write(bad);
            out.ascii("\"}");
            client.write(out);
            JsonNode answer = receive();
            assertThat(answer.get("id").asInt()).isEqualTo(-1);
            assertThat(answer.at("/error/message").asText()).endsWith("the message is not valid UTF-8");
        }
        assertThat(ask("{\"id\":2,\"method\":\"quick\",\"params\":\"\u00e9\"}").has("result"))
                .isTrue();
    }

    @Test
    void aConnectionIsClosedWhenTheServerHasNoMemoryForItsNextRequest() throws IOException {
        serveReady();
        send("{\"id\":2,\"method\":\"quick\",\"params\":\"" + "x".repeat(5 << 20) + "\"}");
        assertThat(client.read()).isEmpty();
    }
}
