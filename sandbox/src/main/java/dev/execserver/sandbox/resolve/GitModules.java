package dev.execserver.sandbox.resolve;

import dev.execserver.sandbox.paths.FileView;
import dev.execserver.sandbox.paths.FileView.Kind;
import dev.execserver.sandbox.paths.FileView.NotAccessibleException;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PathWalk;
import dev.execserver.sandbox.paths.PathWalk.Located;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the places of submodules that the files {@code .gitmodules} of a working tree or its index name, also before they are
 * initialised. Git in the working tree looks for a repository there. See gitmodules(5). One thread uses it.
 */
final class GitModules {
    static final String FILE = ".gitmodules";

    /** Largest number of submodules. The rest of a repository with more is not protected. */
    static final int MAX_MODULES = 64;

    private static final int MAX_FILES = 16;
    private static final int MAX_BYTES = 16 * 1024;
    /** Larger indexes are not read; they have some 150,000 files. */
    private static final int MAX_INDEX_BYTES = 16 * 1024 * 1024;

    /** The setting as git itself writes it. */
    private static final Pattern PATH = Pattern.compile("(?i:path)\\s*=\\s*\"?([^\"]*?)\"?");

    private final FileView files;
    private final PathWalk walk;
    private final GitPointer git;
    private final List<LinuxPath> protectedPaths = new ArrayList<>();

    GitModules(FileView files, PathWalk walk) {
        this.files = files;
        this.walk = walk;
        this.git = new GitPointer(files, walk);
    }

    /**
     * Returns each {@code .gitmodules}, and for each submodule in it the {@code .git} in its directory, or that directory if it
     * is missing in one that exists.
     */
    List<LinuxPath> find(LinuxPath tree) {
        Deque<LinuxPath> trees = new ArrayDeque<>(List.of(tree));
        int modules = 0;
        for (int read = 0; read < MAX_FILES && !trees.isEmpty(); read++) {
            LinuxPath next = trees.remove();
            List<LinuxPath> places = places(next);
            if (!places.isEmpty()) {
                protectedPaths.add(next.child(FILE));
            }
            for (LinuxPath place : Stream.concat(places.stream(), linked(next).stream())
                    .distinct()
                    .toList()) {
                if (modules++ < MAX_MODULES && straight(place)) {
                    protectedPaths.add(place.child(".git"));
                    trees.add(place);
                } else if (modules <= MAX_MODULES && straight(place.parent()) && missing(place)) {
                    protectedPaths.add(place);
                }
            }
        }
        return protectedPaths;
    }

    private boolean straight(LinuxPath directory) {
        Located at = walk.locate(directory);
        return at.directory() && at.links().isEmpty();
    }

    private boolean missing(LinuxPath path) {
        Located at = walk.locate(path);
        return !at.exists() && at.obstacle().isEmpty() && at.links().isEmpty();
    }

    private List<LinuxPath> places(LinuxPath tree) {
        List<LinuxPath> places = new ArrayList<>();
        for (String line : text(tree.child(FILE)).split("\n")) {
            Matcher setting = PATH.matcher(line.strip());
            if (setting.matches() && within(setting.group(1))) {
                places.add(tree.resolve(setting.group(1).getBytes(StandardCharsets.ISO_8859_1)));
            }
        }
        return places;
    }

    /** Returns the places of the gitlinks in the index of a working tree. */
    private List<LinuxPath> linked(LinuxPath tree) {
        LinuxPath dotGit = tree.child(".git");
        Located at = walk.locate(dotGit);
        Optional<LinuxPath> directory =
                at.directory() ? Optional.of(at.path()) : git.target(dotGit).map(Located::path);
        Optional<GitIndex> index = directory.flatMap(found -> index(found.child("index")));
        Optional<GitIndex> shared = index.flatMap(GitIndex::shared)
                .flatMap(name -> index(directory.get().child(name)));
        return Stream.concat(index.stream(), shared.stream())
                .flatMap(found -> found.texts().stream())
                .filter(GitModules::within)
                .map(path -> tree.resolve(path.getBytes(StandardCharsets.ISO_8859_1)))
                .distinct()
                .toList();
    }

    private Optional<GitIndex> index(LinuxPath file) {
        try {
            Located at = walk.locate(file);
            return regular(at) ? files.readWhole(file, MAX_INDEX_BYTES).flatMap(GitIndex::read) : Optional.empty();
        } catch (NotAccessibleException e) {
            return Optional.empty(); // git cannot read it either
        }
    }

    private static boolean regular(Located at) {
        return at.links().isEmpty()
                && at.status().filter(status -> status.kind() == Kind.REGULAR).isPresent();
    }

    /** Returns true if a path names something below its working tree, as git requires it of a submodule. */
    private static boolean within(String path) {
        return !path.isEmpty()
                && path.charAt(0) != '/'
                && path.indexOf('\0') < 0
                && Arrays.stream(path.split("/"))
                        .noneMatch(
                                part -> part.isEmpty() || part.equals(".") || part.equals("..") || part.equals(".git"));
    }

    /** Returns the text of a regular file, one char per byte, because paths are bytes. */
    private String text(LinuxPath file) {
        try {
            Located at = walk.locate(file);
            return regular(at)
                    ? files.read(file, MAX_BYTES)
                            .map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1))
                            .orElse("")
                    : "";
        } catch (NotAccessibleException e) {
            return ""; // git cannot read it either
        }
    }
}
