package dev.execserver.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.Notification;
import dev.execserver.protocol.rpc.Request;
import dev.execserver.protocol.rpc.RpcException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IncomingTest {
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void anArrayIsSeveralMessages() {
        var messages = Incoming.read(bytes(" [{\"id\":1,\"method\":\"ping\"},{\"method\":\"x\",\"params\":[1,[2]]}]"));

        assertThat(messages).hasSize(2);
        assertThat(messages.get(0)).isInstanceOf(Request.class);
        assertThat(messages.get(1)).isInstanceOf(Notification.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
            no           | -32700
            {"id":1      | -32700
            [1           | -32700
            {}           | -32600
            7            | -32600
            []           | -32600
            [[]]         | -32600
            {"id":null,"method":"ping"} | -32600
            """)
    void whatIsNoMessageHasTheCodeOfItsFault(String text, int code) {
        assertThatThrownBy(() -> Incoming.read(bytes(text)))
                .isInstanceOfSatisfying(
                        RpcException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void anIdThatTheAnswerWouldRepeatHasALimit() {
        String longest = "i".repeat(Incoming.MAX_ID_CHARS);
        assertThat(Incoming.read(bytes("{\"id\":\"" + longest + "\",\"method\":\"ping\"}")))
                .hasSize(1);
        assertThatThrownBy(() -> Incoming.read(bytes("{\"id\":\"" + longest + "i\",\"method\":\"ping\"}")))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("the id is longer than 1024 characters");
    }

    @Test
    void anArrayHasALimit() {
        String messages = "{\"method\":\"x\"},".repeat(Incoming.MAX_BATCH);
        assertThat(Incoming.read(bytes("[" + messages.substring(0, messages.length() - 1) + "]")))
                .hasSize(Incoming.MAX_BATCH);
        assertThatThrownBy(() -> Incoming.read(bytes("[" + messages + "{\"method\":\"x\"}]")))
                .isInstanceOf(RpcException.class);
    }

    @Test
    void elicitationIsPossibleUnlessOnlyLinksCanBeShown() {
        assertThat(traits("{\"elicitation\":{}}").elicitation()).isTrue();
        assertThat(traits("{\"elicitation\":{\"form\":{},\"url\":{}}}").elicitation())
                .isTrue();
        assertThat(traits("{\"elicitation\":{\"url\":{}}}").elicitation()).isFalse();
        assertThat(traits("{}").elicitation()).isFalse();
    }

    private static ClientTraits traits(String capabilities) {
        return ClientTraits.read(
                JsonSlice.of("{\"protocolVersion\":\"2025-06-18\",\"capabilities\":" + capabilities + "}"));
    }
}
