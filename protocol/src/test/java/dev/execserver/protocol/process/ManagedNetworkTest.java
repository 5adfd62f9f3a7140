package dev.execserver.protocol.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.RpcException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ManagedNetworkTest {

    private static ManagedNetwork read(String json) {
        return ManagedNetwork.read(JsonSlice.of(json));
    }

    @Test
    void everyMemberMayBeAbsent() {
        assertThat(read("{}")).isEqualTo(ManagedNetwork.DEFAULT);
        assertThat(read("{\"later\":[{}]}")).isEqualTo(ManagedNetwork.DEFAULT);
    }

    @Test
    void portsAndTheGrantOfAllUnixSocketsCount() {
        assertThat(read("{\"loopbackPorts\":[0,3128,65535],\"allowLocalBinding\":true,\"allowUnixSockets\":[\"/a\"],"
                        + "\"dangerouslyAllowAllUnixSockets\":true}"))
                .isEqualTo(new ManagedNetwork(List.of(0, 3128, 65535), List.of("/a"), true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "{\"loopbackPorts\":[65536]}",
                "{\"loopbackPorts\":[-1]}",
                "{\"loopbackPorts\":[\"1\"]}",
                "{\"loopbackPorts\":1}",
                "{\"allowLocalBinding\":1}",
                "{\"allowUnixSockets\":[1]}",
                "{\"dangerouslyAllowAllUnixSockets\":\"true\"}"
            })
    void anythingElseIsRefused(String json) {
        assertThatThrownBy(() -> read(json)).isInstanceOf(RpcException.class);
    }
}
