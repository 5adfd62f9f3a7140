package dev.execserver.protocol.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MessageBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class AppMessagesTest {

    private static JsonSlice json(String text) {
        return JsonSlice.of(text.replace('\'', '"'));
    }

    @Test
    void theHandshakeTellsTheDialect() {
        assertThat(AppInitializeParams.begin(json("{'clientInfo':{'name':'n','version':'1'}}")))
                .isTrue();
        assertThat(AppInitializeParams.begin(json("{'clientName':'n'}"))).isFalse();
        assertThat(AppInitializeParams.begin(json("{'clientName':'n','clientInfo':{}}")))
                .isFalse();
        assertThat(AppInitializeParams.begin(json("[]"))).isFalse();
    }

    @Test
    void capabilitiesMayBeNull() {
        AppInitializeParams params =
                AppInitializeParams.read(json("{'clientInfo':{'name':'n','version':'1'},'capabilities':null}"));

        assertThat(params.experimentalApi()).isFalse();
        assertThat(params.optOutNotificationMethods()).isEmpty();
    }

    @Test
    void aSpawnWithoutLimitsHasTheDefaultsAndOneWithNullHasNone() {
        SpawnParams absent = SpawnParams.read(json("{'command':['x'],'cwd':'/','processHandle':'h'}"));
        SpawnParams none = SpawnParams.read(
                json("{'command':['x'],'cwd':'/','processHandle':'h','outputBytesCap':null,'timeoutMs':null}"));

        assertThat(absent.outputBytesCap()).hasValue(CommandDefaults.OUTPUT_BYTES_CAP);
        assertThat(absent.timeoutMs()).hasValue(CommandDefaults.TIMEOUT_MS);
        assertThat(none.outputBytesCap()).isEmpty();
        assertThat(none.timeoutMs()).isEmpty();
        assertThatThrownBy(() -> SpawnParams.read(json("{'command':['x'],'cwd':'rel','processHandle':'h'}")))
                .hasMessage("AbsolutePathBuf deserialized without a base path");
    }

    @Test
    void aDeltaIsOneMessage() {
        MessageBuffer out = new MessageBuffer();
        new CommandOutputDelta(CommandFamily.SPAWN, "h\"", false, "hi".getBytes(StandardCharsets.UTF_8), true)
                .encode(out, 7);

        assertThat(new String(out.toByteArray(), StandardCharsets.UTF_8))
                .isEqualTo("{\"method\":\"process/outputDelta\",\"params\":{\"processHandle\":\"h\\\"\",\"stream\":"
                        + "\"stderr\",\"deltaBase64\":\"aGk=\",\"capReached\":true},\"emittedAtMs\":7}");
    }
}
