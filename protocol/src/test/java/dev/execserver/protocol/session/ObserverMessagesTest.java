package dev.execserver.protocol.session;

import static dev.execserver.protocol.rpc.RecordRoundTrip.assertInvalid;
import static dev.execserver.protocol.rpc.RecordRoundTrip.roundTrip;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.process.WaitCondition;
import dev.execserver.protocol.process.WaitParams;
import dev.execserver.protocol.process.WaitResult;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages by which sessions are found, observed and waited for. */
class ObserverMessagesTest {

    @Test
    void aSessionHasANameInTheOpenDialectOnly() {
        String text = "{\"clientName\":\"x\",\"resumeSessionId\":null,\"sessionName\":\"build\"}";
        assertThat(InitializeParams.read(JsonSlice.of(text), Dialect.OPEN).sessionName())
                .contains("build");
        assertThat(InitializeParams.read(JsonSlice.of(text), Dialect.STRICT).sessionName())
                .isEmpty();
    }

    @Test
    void sessionsAreListedWithTheirProcesses() {
        SessionListResult list = roundTrip("""
                {"sessions":[{"sessionId":"s","name":"build","clientName":"c","own":true,"attached":true,"sinceMs":2,\
                "startedAtMs":1,"processes":[{"processId":"p","pid":7,"argv":["a"],"cwd":"file:///","tty":false,\
                "running":true,"exited":false,"exitCode":null,"closed":false,"nextSeq":1,"startedAtMs":3,\
                "outputBytes":9,"cpuMs":4}]},{"sessionId":"t","clientName":"c","attached":false,"sinceMs":2,\
                "startedAtMs":1,"processes":[]}]}""", SessionListResult::read);
        assertThat(list.sessions()).hasSize(2);
        assertThat(list.sessions().getFirst().processes().getFirst().cpuMs()).hasValue(4);
        assertInvalid("{}", SessionListResult::read, "missing field `sessions`");
    }

    @Test
    void anObserverSaysWhereItIs() {
        String text =
                "{\"sessionId\":\"s\",\"processId\":\"p\",\"afterSeq\":3,\"lastBytes\":0,\"maxBytes\":9,\"waitMs\":5}";
        assertThat(roundTrip(text, ObserveParams::read).lastBytes()).hasValue(0);
        assertInvalid("{\"sessionId\":\"s\"}", ObserveParams::read, "missing field `processId`");
        String answer = """
                {"offset":5,"endOffset":6,"output":{"chunks":[{"seq":2,"stream":"stdout","chunk":"YQ=="}],"nextSeq":3,\
                "exited":false,"exitCode":null,"closed":false,"failure":null,"sandboxDenied":false}}""";
        assertThat(roundTrip(answer, ObserveResult::read).output().chunks()).hasSize(1);
        assertInvalid("{\"offset\":1,\"endOffset\":1}", ObserveResult::read, "missing field `output`");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"exit\":true}",
                "{\"closed\":true}",
                "{\"text\":\"a\"}",
                "{\"regex\":\"a+\"}",
                "{\"idleMs\":5}",
                "{\"port\":80}"
            })
    void eachConditionIsOneMember(String until) {
        String text = "{\"processId\":\"p\",\"until\":" + until + ",\"afterSeq\":0,\"limitMs\":5}";
        assertThat(roundTrip(text, WaitParams::read).sessionId()).isEmpty();
    }

    @Test
    void aWaitThatNamesNoLimitHasOne() {
        WaitParams read = WaitParams.read(
                JsonSlice.of("{\"processId\":\"p\",\"sessionId\":\"s\",\"until\":{\"exit\":true}}"), Dialect.OPEN);
        assertThat(read.limitMs()).isEqualTo(WaitParams.DEFAULT_LIMIT_MS);
        assertThat(read.until()).isEqualTo(new WaitCondition.Exit());
        assertThat(read.sessionId()).contains("s");
    }

    @Test
    void theResultOfAWaitIsReadAsItIsWritten() {
        String text =
                "{\"met\":true,\"exited\":true,\"exitCode\":0,\"closed\":true,\"match\":\"m\",\"seq\":4,\"skippedBytes\":7}";
        assertThat(roundTrip(text, WaitResult::read).match()).contains("m");
    }
}
