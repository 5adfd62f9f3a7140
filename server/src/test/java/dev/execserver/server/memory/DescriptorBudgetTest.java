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

class DescriptorBudgetTest {

    private static final int START = 8;

    private final AtomicLong open = new AtomicLong(100);

    private DescriptorBudget room(long limit) {
        return new DescriptorBudget(limit, open::get);
    }

    @Test
    void whereManyAreLeftEverybodyIsAdmitted() {
        DescriptorBudget room = room(2_000);
        assertThatCode(() -> room.admit("process/start", START)).doesNotThrowAnyException();
        assertThat(room.acceptsConnection()).isTrue();
    }

    @Test
    void theReserveIsForConnectionsAndTheLastOnesAreForTheServerAlone() {
        DescriptorBudget room = room(300);
        open.set(300 - 48 - START);
        room.admit("process/start", START).close();
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
        DescriptorBudget room = room(300);
        List<DescriptorBudget.Promise> promises = new ArrayList<>();
        for (int free = 300 - 48 - 100; free >= START; free -= START) {
            promises.add(room.admit("process/start", START));
        }
        assertRefused(room);
        assertThat(room.acceptsConnection()).isTrue();
        promises.getFirst().close();
        room.admit("process/start", START).close();
    }

    @Test
    void whereNoneIsLeftToCountWithAllAreTaken() {
        DescriptorBudget room = new DescriptorBudget(300, () -> {
            throw new LinuxException("openat", "/proc/self/fd", Errno.EMFILE);
        });
        assertRefused(room);
        assertThat(room.acceptsConnection()).isFalse();
    }

    @Test
    void aLackThatShowsLaterIsNamedTheSame() {
        RpcException lack = RpcException.internal("pipe2 `sleep`: " + Errno.text(Errno.EMFILE));
        assertThat(DescriptorBudget.named(lack).data().orElseThrow().members()).containsEntry("reason", "descriptors");
        RpcException other = RpcException.internal("pipe2 `sleep`: " + Errno.text(Errno.EIO));
        assertThat(DescriptorBudget.named(other)).isSameAs(other);
    }

    private static void assertRefused(DescriptorBudget room) {
        assertThatThrownBy(() -> room.admit("process/start", START))
                .isInstanceOf(RpcException.class)
                .hasMessageStartingWith("process/start: the server has hardly any file descriptor left of its 300")
                .hasMessageContaining("ulimit -n");
    }

    @Test
    void whatOpensNothingIsAlwaysAdmitted() {
        open.set(300);
        room(300).admit("fs/readFile", 0).close();
    }

    @Test
    void commandsLeaveTwiceTheReserveSoThatOthersCanBeStarted() {
        DescriptorBudget room = room(300);
        open.set(300 - 2 * 48 - 1);
        try (DescriptorBudget.Promise _ = room.admitForCommand().orElseThrow()) {
            assertThat(room.admitForCommand()).isEmpty();
        }
        assertThat(room.spareForCommand()).isTrue();
        open.addAndGet(2);
        assertThat(room.spareForCommand()).isFalse();
        assertThat(room.admitForCommand()).isEmpty();
        room.admit("process/start", START).close();
    }

    @Test
    void aConnectionOfACommandWaitsUntilSomeAreFreeOrItIsOver() {
        DescriptorBudget room = room(300);
        open.set(300 - 48 * 3 / 2);
        assertThat(room.awaitForCommand(() -> true)).isTrue();
        open.incrementAndGet();
        assertThat(room.awaitForCommand(() -> true)).isFalse();
        assertThat(room.awaitForCommand(() -> open.decrementAndGet() < 0)).isTrue();
    }

    @Test
    void oneCommandHasASixteenthOfTheLimitInConnections() {
        assertThat(room(1024).forCommand(1024)).isEqualTo(64);
        assertThat(room(1 << 20).forCommand(1024)).isEqualTo(1024);
        assertThat(room(Long.MAX_VALUE).forCommand(1024)).isEqualTo(1024);
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
