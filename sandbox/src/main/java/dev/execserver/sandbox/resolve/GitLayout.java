package dev.execserver.sandbox.resolve;

import dev.execserver.sandbox.paths.FileView;
import dev.execserver.sandbox.paths.FileView.Child;
import dev.execserver.sandbox.paths.FileView.Kind;
import dev.execserver.sandbox.paths.FileView.NotAccessibleException;
import dev.execserver.sandbox.paths.LinuxPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds the places in a git directory that make git run programs or read its configuration elsewhere. Finds the git
 * directories of submodules, too. See gitrepository-layout(5). One thread uses it.
 */
final class GitLayout {
    /** Names whose content makes git run programs, for everybody who works in the repository. */
    static final List<String> ORDERS =
            List.of("hooks", "config", "config.worktree", "commondir", "modules", "worktrees");

    /**
     * Directories of an operation that waits for its user. {@code git rebase --continue} runs the {@code exec} lines in
     * them. Git takes even an empty directory of this name for such an operation, so only existing ones can be protected.
     */
    static final List<String> UNFINISHED = List.of("rebase-merge", "rebase-apply", "sequencer");

    /** Directories whose files git uses one by one. */
    private static final List<String> DIRECTORIES_OF_FILES = List.of("hooks", "info");

    /**
     * Deepest nesting: the name of a submodule can have several components ({@code libs/a/b}), and submodules can be nested.
     */
    private static final int MAX_DEPTH = 6;

    private static final int MAX_ENTRIES = 256;
    private static final int MAX_MODULES = 64;

    private final FileView files;

    GitLayout(FileView files) {
        this.files = files;
    }

    /** Returns each place of one git directory that can be a link and makes git run programs; without its submodules. */
    List<LinuxPath> orders(LinuxPath git) {
        List<LinuxPath> orders = new ArrayList<>();
        Stream.concat(ORDERS.stream(), Stream.of("info", "HEAD")).forEach(name -> orders.add(git.child(name)));
        for (String name : DIRECTORIES_OF_FILES) {
            LinuxPath directory = git.child(name);
            children(directory).stream()
                    .filter(child -> child.kind() == Kind.SYMLINK)
                    .forEach(child -> orders.add(directory.child(child.name())));
        }
        return orders;
    }

    /** Returns the git directories of submodules, at most {@value #MAX_MODULES}. */
    List<LinuxPath> modules(LinuxPath git) {
        List<LinuxPath> found = new ArrayList<>();
        modules(git.child("modules"), 0, found);
        return found;
    }

    private void modules(LinuxPath directory, int depth, List<LinuxPath> found) {
        for (Child child : children(directory)) {
            if (child.kind() != Kind.DIRECTORY || depth > MAX_DEPTH || found.size() >= MAX_MODULES) {
                continue;
            }
            LinuxPath path = directory.child(child.name());
            if (children(path).stream().anyMatch(GitLayout::head)) {
                found.add(path);
                modules(path.child("modules"), depth + 1, found);
            } else {
                modules(path, depth + 1, found);
            }
        }
    }

    private static boolean head(Child child) {
        return new String(child.name(), StandardCharsets.ISO_8859_1).equals("HEAD");
    }

    /** Returns the first entries in the order of their names, at most {@value #MAX_ENTRIES}. */
    private List<Child> children(LinuxPath directory) {
        try {
            return files.list(directory).stream()
                    .sorted(Comparator.comparing(child -> new String(child.name(), StandardCharsets.ISO_8859_1)))
                    .limit(MAX_ENTRIES)
                    .toList();
        } catch (NotAccessibleException e) {
            return List.of(); // git cannot use what this user cannot read
        }
    }
}
