package dev.execserver.server.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.files.WatchRoom.Part;
import dev.execserver.server.memory.MemoryBudget;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests the room that a connection with as many watches as possible leaves to others. */
class WatchRoomTest {
    private final MemoryBudget memory = new MemoryBudget(10_000, Duration.ZERO);
    private final WatchRoom room = new WatchRoom(8, memory);
    private final Part first = new Part();
    private final Part second = new Part();

    private void take(Part part, int watches, long bytes) {
        for (int i = 0; i < watches; i++) {
            room.take(part, bytes);
        }
    }

    @Test
    void halfOfTheWatchesStayFreeOfOneConnection() {
        take(first, 4, 1);
        assertThatThrownBy(() -> room.take(first, 1))
                .isInstanceOf(RpcException.class)
                .hasMessage("this connection watches 4 files and directories, others 0, and the server no more than 8;"
                        + " end some with fs/unwatch, or watch without `recursive`");
        take(second, 2, 1);
        assertThatThrownBy(() -> room.take(second, 1)).hasMessageContaining("others 4");
        take(new Part(), 1, 1);
        assertThat(memory.usedBytes()).isEqualTo(7);
    }

    @Test
    void halfOfTheMemoryStaysFreeOfOneConnection() {
        room.take(first, 5_000);
        assertThatThrownBy(() -> room.take(first, 1))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("hold 5000 bytes, and those of all 5000 of 10000")
                .hasMessageContaining("--request-memory-bytes");
        room.take(second, 2_500);
    }

    @Test
    void whatIsGivenBackIsThereAgain() {
        take(first, 4, 1_000);
        room.release(first, 1_000);
        room.take(first, 1_000);
        for (int i = 0; i < 4; i++) {
            room.release(first, 1_000);
        }
        assertThat(memory.usedBytes()).isZero();
        take(second, 4, 1_000);
    }
}
