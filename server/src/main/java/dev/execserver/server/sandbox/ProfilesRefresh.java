package dev.execserver.server.sandbox;

import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Timers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Reads the file of profiles again when it changes, for requests that must not wait for it. The clock starts each look;
 * a file worker does it.
 */
public final class ProfilesRefresh implements AutoCloseable {

    /** Time between two looks at the file. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final NamedProfiles profiles;
    private final FileWorkers files;
    private final Timers timers;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicReference<Optional<Timers.Planned>> next = new AtomicReference<>(Optional.empty());

    private ProfilesRefresh(NamedProfiles profiles, FileWorkers files, Timers timers) {
        this.profiles = profiles;
        this.files = files;
        this.timers = timers;
    }

    /** Starts to look, if the profiles can change. */
    public static ProfilesRefresh start(NamedProfiles profiles, FileWorkers files, Timers timers) {
        ProfilesRefresh refresh = new ProfilesRefresh(profiles, files, timers);
        if (profiles.changeable()) {
            refresh.plan();
        }
        return refresh;
    }

    private void plan() {
        if (!closed.get()) {
            next.set(Optional.of(timers.after(PAUSE, "profiles", this::look)));
        }
    }

    private void look() {
        files.release(() -> {
            profiles.refresh();
            plan();
        });
    }

    @Override
    public void close() {
        closed.set(true);
        next.get().ifPresent(Timers.Planned::cancel);
    }
}
