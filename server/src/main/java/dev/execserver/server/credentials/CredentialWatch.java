package dev.execserver.server.credentials;

import dev.execserver.server.access.AccessLog;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Timers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reloads the credentials when one of their files changes. Looks at the files now and then, because inotify(7) does not
 * see what happens on other machines and behind links. A change counts when two looks in a row have seen the same, so
 * that no file is read while it is being written.
 *
 * <p>One virtual thread at a time looks, and leaves the files to file workers. Ends with the timers.
 */
public final class CredentialWatch {
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final String STATE = "unix:dev,ino,size,ctime";
    private static final Logger LOG = LoggerFactory.getLogger(CredentialWatch.class);

    private final Credentials credentials;
    private final FileWorkers workers;
    private final Timers timers;
    private final AccessLog access;
    private List<Map<String, Object>> loaded = List.of();
    private List<Map<String, Object>> seen = List.of();

    private CredentialWatch(Credentials credentials, FileWorkers workers, Timers timers, AccessLog access) {
        this.credentials = credentials;
        this.workers = workers;
        this.timers = timers;
        this.access = access;
    }

    /** Begins to watch if there is something to watch. The credentials were read just before. */
    public static void start(Credentials credentials, FileWorkers workers, Timers timers, AccessLog access) {
        if (!credentials.files().isEmpty()) {
            CredentialWatch watch = new CredentialWatch(credentials, workers, timers, access);
            watch.loaded = watch.look();
            watch.seen = watch.loaded;
            watch.planNext();
        }
    }

    private void planNext() {
        timers.after(INTERVAL, "credentials", this::lookAgain);
    }

    private void lookAgain() {
        try {
            workers.call(this::reloadIfChanged);
        } catch (RuntimeException e) {
            LOG.debug("the files of credentials could not be looked at", e); // the workers are busy
        } finally {
            planNext();
        }
    }

    /** Returns true if the files were read. */
    private boolean reloadIfChanged() {
        List<Map<String, Object>> now = look();
        boolean settled = now.equals(seen);
        seen = now;
        if (!settled || now.equals(loaded)) {
            return false;
        }
        loaded = now;
        credentials.reload(access);
        return true;
    }

    private List<Map<String, Object>> look() {
        return credentials.files().stream().map(CredentialWatch::state).toList();
    }

    private static Map<String, Object> state(Path file) {
        try {
            return Files.readAttributes(file, STATE);
        } catch (IOException e) {
            return Map.of("error", e.toString());
        }
    }
}
