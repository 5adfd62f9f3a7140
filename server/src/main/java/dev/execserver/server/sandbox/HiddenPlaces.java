package dev.execserver.server.sandbox;

import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.SecondMounts;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/**
 * Folders with the state of this user's servers, in all places where they are mounted. Used for each sandboxed request:
 * listing the folders is cheap, and their other mounts are looked up only when the list has changed. Any thread.
 */
final class HiddenPlaces implements Supplier<List<LinuxPath>> {
    private final Supplier<List<Path>> folders;
    private volatile Known known = new Known(List.of(), List.of());

    private record Known(List<Path> folders, List<LinuxPath> places) {}

    HiddenPlaces(Supplier<List<Path>> folders) {
        this.folders = folders;
    }

    @Override
    public List<LinuxPath> get() {
        List<Path> now = folders.get();
        Known last = known;
        if (!last.folders().equals(now)) {
            last = new Known(
                    now,
                    SecondMounts.with(
                            now.stream().map(Path::toString).map(LinuxPath::of).toList()));
            known = last;
        }
        return last.places();
    }
}
