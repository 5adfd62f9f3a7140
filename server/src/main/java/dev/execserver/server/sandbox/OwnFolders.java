package dev.execserver.server.sandbox;

import dev.execserver.cli.local.LocalFile;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.SecondMounts;
import dev.execserver.sandbox.resolve.ServerPaths.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Finds the folders in which nothing but secrets and settings of the server lies when it starts. They can be masked as a whole, so that a
 * file which is replaced later by a rename stays out of reach of the commands that run. Touches files; one thread, once.
 */
final class OwnFolders {
    /** A folder with more is for something else. */
    private static final int MAX_ENTRIES = 64;
    /** Deepest nesting: a mounted secret of a container is a link to a link into a folder with a date. */
    private static final int MAX_DEPTH = 3;

    private final Set<Path> files = new HashSet<>();

    private OwnFolders(List<Path> named) {
        for (Path path : named) {
            files.add(path);
            real(path).ifPresent(files::add);
        }
    }

    /** @param environment of the server; its home and its working directory are for more than its files */
    static Folders of(SandboxSettings settings, Map<String, String> environment) {
        List<Path> secrets = paths(settings.secrets());
        OwnFolders all = new OwnFolders(Stream.concat(secrets.stream(), paths(settings.unchanged()).stream())
                .toList());
        OwnFolders secret = new OwnFolders(secrets);
        Set<Path> work = new HashSet<>(Set.of(LocalFile.workingDirectory()));
        Optional.ofNullable(environment.get("HOME")).map(Path::of).ifPresent(work::add);
        Set<Path> hidden = new TreeSet<>();
        Set<Path> others = new TreeSet<>();
        for (Path file : all.files) {
            Path folder = file.getParent();
            if (folder != null && !work.contains(folder) && all.own(folder, MAX_DEPTH)) {
                boolean hides = secret.files.stream().anyMatch(each -> each.startsWith(folder));
                (hides ? hidden : others).add(folder);
            }
        }
        return new Folders(everywhere(hidden), everywhere(others));
    }

    private boolean own(Path folder, int depth) {
        if (depth == 0) {
            return false;
        }
        try (Stream<Path> listed = Files.list(folder)) {
            List<Path> entries = listed.limit(MAX_ENTRIES + 1L).toList();
            return !entries.isEmpty()
                    && entries.size() <= MAX_ENTRIES
                    && entries.stream().allMatch(entry -> ownEntry(entry, depth));
        } catch (IOException e) {
            return false; // not there, or not readable
        }
    }

    private boolean ownEntry(Path entry, int depth) {
        return files.contains(entry)
                || real(entry)
                        .filter(target -> files.contains(target) || own(target, depth - 1))
                        .isPresent();
    }

    private static Optional<Path> real(Path path) {
        try {
            return Optional.of(path.toRealPath());
        } catch (IOException e) {
            return Optional.empty(); // not there
        }
    }

    private static List<Path> paths(List<LinuxPath> paths) {
        return paths.stream().map(path -> Path.of(path.toString())).toList();
    }

    private static List<LinuxPath> everywhere(Set<Path> folders) {
        return SecondMounts.with(
                folders.stream().map(Path::toString).map(LinuxPath::of).toList());
    }
}
