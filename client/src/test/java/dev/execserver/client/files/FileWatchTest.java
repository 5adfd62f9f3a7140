package dev.execserver.client.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.fs.ChangedNotification;
import dev.execserver.protocol.fs.ChangedNotification.Change;
import dev.execserver.protocol.paths.PathUri;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class FileWatchTest {
    private static final int PATH_CHARS = 1 << 20;

    private final FileWatch watch = new FileWatch(1, () -> {});

    @Test
    void c105_longPathsThatNobodyTakesAreBoundedByTheirBytes() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            watch.add(change(PATH_CHARS));
        }
        assertThat(taken(3)).noneMatch(ChangedNotification::overflow);

        for (int i = 0; i < 4; i++) {
            watch.add(change(PATH_CHARS));
        }
        assertThat(taken(2)).extracting(ChangedNotification::overflow).containsExactly(true, false);
    }

    @Test
    void c105_aChangeThatIsTooLongByItselfIsTold() throws InterruptedException {
        watch.add(change((int) FileWatch.MAX_WAITING_BYTES));
        assertThat(taken(1)).allMatch(ChangedNotification::overflow);
    }

    private List<ChangedNotification> taken(int count) throws InterruptedException {
        List<ChangedNotification> all = new ArrayList<>();
        for (var next = watch.next(Duration.ZERO); next.isPresent(); next = watch.next(Duration.ZERO)) {
            all.add(next.get());
        }
        assertThat(all).hasSize(count);
        return all;
    }

    private static ChangedNotification change(int chars) {
        PathUri path = PathUri.ofNative("/" + "x".repeat(chars));
        return new ChangedNotification(1, List.of(new Change(path, ChangedNotification.Kind.MODIFIED)), false, false);
    }
}
