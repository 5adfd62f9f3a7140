package dev.execserver.server.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DescriptorRoomTest {

    private final AtomicLong open = new AtomicLong(100);

    private DescriptorRoom room(long limit) {
        return new DescriptorRoom(limit, open::get);
    }

    @Test
    void whereManyAreLeftEverybodyIsAdmitted() {
        DescriptorRoom room = room(2_000);
        assertThatCode(() -> room.admit("process/start")).doesNotThrowAnyException();
        assertThat(room.acceptsConnection()).isTrue();
    }

    @Test
    void theReserveIsForConnectionsAndTheLastOnesAreForTheServerAlone() {
        DescriptorRoom room = room(300);
        open.set(300 - 48 - DescriptorRoom.FOR_ONE);
        room.admit("process/start").close();
        open.incrementAndGet();
        assertRefused(room);
        assertThat(room.acceptsConnection()).isTrue();
        open.set(300 - 32 - 1);
        assertThat(room.acceptsConnection()).isTrue();
        open.incrementAndGet();
        assertThat(room.acceptsConnection()).isFalse();
    }

    @Test
    void whatWorkUnderWayMayStillOpenIsTakenAlready() {
        DescriptorRoom room = room(300);
        List<DescriptorRoom.Promise> promises = new ArrayList<>();
        for (int free = 300 - 48 - 100; free >= DescriptorRoom.FOR_ONE; free -= DescriptorRoom.FOR_ONE) {
            promises.add(room.admit("process/start"));
        }
        assertRefused(room);
        assertThat(room.acceptsConnection()).isTrue();
        promises.getFirst().close();
        room.admit("process/start").close();
    }

    @Test
    void whereNoneIsLeftToCountWithAllAreTaken() {
        DescriptorRoom room = new DescriptorRoom(300, () -> {
            throw new LinuxException("openat", "/proc/self/fd", Errno.EMFILE);
        });
        assertRefused(room);
        assertThat(room.acceptsConnection()).isFalse();
    }

    @Test
    void aLackThatShowsLaterIsNamedTheSame() {
        RpcException lack = RpcException.internal("pipe2 `sleep`: " + Errno.text(Errno.EMFILE));
        assertThat(DescriptorRoom.named(lack).data().orElseThrow().members()).containsEntry("reason", "descriptors");
        RpcException other = RpcException.internal("pipe2 `sleep`: " + Errno.text(Errno.EIO));
        assertThat(DescriptorRoom.named(other)).isSameAs(other);
    }

    private static void assertRefused(DescriptorRoom room) {
        assertThatThrownBy(() -> room.admit("process/start"))
                .isInstanceOf(RpcException.class)
                .hasMessageStartingWith("process/start: the server has hardly any file descriptor left of its 300")
                .hasMessageContaining("ulimit -n");
    }

    @Test
    void strangersMayTakeAnEighthAtMost() {
        assertThat(room(1024).forStrangers(512)).isEqualTo(128);
        assertThat(room(1 << 20).forStrangers(512)).isEqualTo(512);
    }

    @Test
    void aServerNeedsSome() {
        assertThat(room(255).tooSmallForAServer()).isTrue();
        assertThat(room(256).tooSmallForAServer()).isFalse();
    }
}
