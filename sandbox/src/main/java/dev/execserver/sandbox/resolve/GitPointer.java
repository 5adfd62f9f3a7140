package dev.execserver.sandbox.resolve;

import dev.execserver.sandbox.paths.FileView;
import dev.execserver.sandbox.paths.FileView.Kind;
import dev.execserver.sandbox.paths.FileView.NotAccessibleException;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PathWalk;
import dev.execserver.sandbox.paths.PathWalk.Located;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the small files by which git repositories refer to each other, see gitrepository-layout(5). */
final class GitPointer {
    private static final int MAX_BYTES = 4096;
    private static final String GITDIR = "gitdir:";
    /** The setting as git itself writes it. */
    private static final Pattern WORKTREE = Pattern.compile("(?i:worktree)\\s*=\\s*\"?([^\"]*?)\"?");

    private final FileView files;
    private final PathWalk walk;

    GitPointer(FileView files, PathWalk walk) {
        this.files = files;
        this.walk = walk;
    }

    /** Returns the location that a {@code .git} file points to; empty if it points nowhere. */
    Optional<Located> target(LinuxPath dotGit) {
        return text(dotGit)
                .filter(text -> text.startsWith(GITDIR))
                .map(text -> text.substring(GITDIR.length()).strip())
                .flatMap(path -> locate(dotGit.parent(), path));
    }

    /**
     * Returns the repository that a linked worktree belongs to.
     *
     * @param gitDirectory the directory that the {@code .git} file of the worktree points to
     * @param dotGit that file; the repository must point back to it, or any directory could claim to belong to the repository
     */
    Optional<Located> commonDirectory(LinuxPath gitDirectory, LinuxPath dotGit) {
        boolean mutual = text(gitDirectory.child("gitdir"))
                .flatMap(path -> locate(gitDirectory, path.strip()))
                .filter(back -> back.path().equals(dotGit))
                .isPresent();
        if (!mutual) {
            return Optional.empty();
        }
        return text(gitDirectory.child("commondir"))
                .flatMap(path -> locate(gitDirectory, path.strip()))
                .filter(Located::directory)
                .filter(common -> gitDirectory.below(common.path()));
    }

    /**
     * Returns the working tree that a git directory names: {@code core.worktree} of its configuration, as submodules have it.
     * Empty if there is none.
     */
    Optional<Located> worktree(LinuxPath gitDirectory) {
        boolean core = false;
        for (String line : text(gitDirectory.child("config")).orElse("").split("\n")) {
            String text = line.strip();
            if (text.startsWith("[")) {
                core = text.toLowerCase(Locale.ROOT).equals("[core]");
            }
            Matcher setting = WORKTREE.matcher(text);
            if (core && setting.matches()) {
                return locate(gitDirectory, setting.group(1)).filter(Located::directory);
            }
        }
        return Optional.empty();
    }

    private Optional<Located> locate(LinuxPath base, String path) {
        return path.isEmpty() || path.indexOf('\0') >= 0
                ? Optional.empty()
                : Optional.of(walk.locate(base.resolve(path.getBytes(StandardCharsets.ISO_8859_1))));
    }

    /** Returns the text of a regular file, one char per byte, because paths are bytes; empty if it cannot be read. */
    private Optional<String> text(LinuxPath file) {
        try {
            Located at = walk.locate(file);
            boolean regular = at.links().isEmpty()
                    && at.status()
                            .filter(status -> status.kind() == Kind.REGULAR)
                            .isPresent();
            return regular
                    ? files.read(at.path(), MAX_BYTES).map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1))
                    : Optional.empty();
        } catch (NotAccessibleException e) {
            return Optional.empty();
        }
    }
}
