package dev.execserver.server.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserServersTest {
    @TempDir
    private Path folder;

    private final List<Runnable> later = new ArrayList<>();

    private UserServers server() {
        return UserServers.of(List.of(folder), this::remember);
    }

    private void remember(Duration time, Runnable work) {
        assertThat(time).isEqualTo(UserServers.AFTERMATH);
        later.add(work);
    }

    @Test
    void c54_aServerKnowsThePortsOfAllServersThatRun() {
        try (UserServers one = server();
                UserServers two = server()) {
            two.listensOn(4711);
            assertThat(one.listens(4711)).isTrue();
            assertThat(two.listens(4711)).isTrue();
            assertThat(one.listens(4712)).isFalse();
            two.close();
            assertThat(one.listens(4711)).isFalse();
        }
    }

    @Test
    void c54_oneFolderInCommonIsEnough(@TempDir Path afterLogin) {
        try (UserServers before = server();
                UserServers after = UserServers.of(List.of(afterLogin, folder), this::remember)) {
            before.listensOn(4711);
            after.listensOn(4712);
            Runnable _ = before.begin(false);
            assertThat(after.listens(4711)).isTrue();
            assertThat(before.listens(4712)).isTrue();
            assertThat(after.networkInUse()).isTrue();
        }
    }

    @Test
    void c54_theNetworkIsInUseForAllServersUntilAWhileAfterTheLastCommand() {
        try (UserServers one = server();
                UserServers two = server()) {
            assertThat(two.networkInUse()).isFalse();
            Runnable first = one.begin(false);
            Runnable second = one.begin(false);
            assertThat(one.networkInUse()).isTrue();
            assertThat(two.networkInUse()).isTrue();
            first.run();
            first.run();
            second.run();
            assertThat(later).as("ended twice, counted once").hasSize(2);
            assertThat(two.networkInUse()).isTrue();
            later.forEach(Runnable::run);
            assertThat(one.networkInUse()).isFalse();
            assertThat(two.networkInUse()).isFalse();
        }
    }

    @Test
    void c54_aCommandThatCanBeOutlivedKeepsItInUse() {
        try (UserServers one = server()) {
            one.begin(true).run();
            assertThat(later).isEmpty();
            assertThat(one.networkInUse()).isTrue();
        }
    }

    @Test
    void aServerThatEndsLeavesNothing() {
        UserServers one = server();
        Runnable end = one.begin(false);
        one.close();
        end.run();
        later.forEach(Runnable::run);
        try (UserServers two = server()) {
            assertThat(two.networkInUse()).isFalse();
        }
    }
}
