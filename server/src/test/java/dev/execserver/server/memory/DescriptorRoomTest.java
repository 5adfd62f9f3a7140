package dev.execserver.server.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.PipeCalls;
import org.junit.jupiter.api.Test;

class DescriptorRoomTest {

    @Test
    void whereManyAreLeftEverybodyIsAdmitted() {
        DescriptorRoom room = new DescriptorRoom(lowestFree() + 2_000L);
        assertThatCode(() -> room.admit("process/start")).doesNotThrowAnyException();
        assertThat(room.acceptsConnection()).isTrue();
    }

    @Test
    void theReserveIsForConnectionsAndTheLastOnesAreForTheServerAlone() {
        DescriptorRoom reserve = new DescriptorRoom(lowestFree() + 40L);
        assertThatThrownBy(() -> reserve.admit("process/start"))
                .isInstanceOf(RpcException.class)
                .hasMessageStartingWith(
                        "process/start: the server has hardly any file descriptor left of its " + reserve.limit())
                .hasMessageContaining("ulimit -n");
        assertThat(reserve.acceptsConnection()).isTrue();
        assertThat(new DescriptorRoom(lowestFree() + 20L).acceptsConnection()).isFalse();
    }

    @Test
    void strangersMayTakeAnEighthAtMost() {
        assertThat(new DescriptorRoom(1024).forStrangers(512)).isEqualTo(128);
        assertThat(new DescriptorRoom(1 << 20).forStrangers(512)).isEqualTo(512);
    }

    @Test
    void aServerNeedsSome() {
        assertThat(new DescriptorRoom(255).tooSmallForAServer()).isTrue();
        assertThat(new DescriptorRoom(256).tooSmallForAServer()).isFalse();
    }

    private static int lowestFree() {
        try (Fd probe = PipeCalls.eventCounter()) {
            return probe.number();
        }
    }
}
