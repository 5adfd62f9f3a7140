package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.paths.FileView;
import dev.execserver.sandbox.paths.FileView.Kind;
import dev.execserver.sandbox.paths.FileView.NotAccessibleException;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PathWalk;
import dev.execserver.sandbox.paths.PathWalk.Located;
import dev.execserver.sandbox.resolve.Rule.Origin;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Keeps a command from making a writable root itself a git directory: where git finds no repository in {@code .git}, it takes a directory
 * with {@code HEAD}, {@code objects} and {@code refs} for one and obeys the {@code config} in it. One thread uses it, for one policy.
 */
final class BareLayout {
    private static final byte[] DOT_GIT = {'.', 'g', 'i', 't'};
    private static final String HEAD = "HEAD";
    private static final List<String> PARTS = List.of("objects", "refs");
    /** Files that make git run programs, or name the directory with such files. */
    private static final List<String> ORDERS = List.of("config", "config.worktree", "hooks", "commondir");

    /** Content that makes git take a file for a HEAD. */
    private static final Pattern VALID = Pattern.compile("(?s)(ref:\\s*refs/|[0-9a-f]{40}).*");

    private static final int HEAD_BYTES = 256;

    private final FileView files;
    private final PathWalk walk;
    private final Grants grants;
    private final RuleDraft draft;

    BareLayout(FileView files, PathWalk walk, Grants grants, RuleDraft draft) {
        this.files = files;
        this.walk = walk;
        this.grants = grants;
        this.draft = draft;
    }

    /** Adds the rules for a writable root whose {@code .git} the command cannot make. */
    void protect(LinuxPath root) {
        if (inGitDirectory(root)) {
            return; // the entry wants that git directory, or a part of it, writable
        }
        Located dotGit = walk.locate(root.child(".git"));
        LinuxPath head = root.child(HEAD);
        Located at = walk.locate(head);
        boolean directory = at.directory() && at.links().isEmpty();
        if (grants.at(head).isPresent()) {
            return;
        }
        if (directory && empty(head)) {
            // The placeholder of a command that runs, or one that is left and goes with this command.
            draft.add(at, Access.READ, Origin.PROTECTED_NAME, true);
        } else if (repository(dotGit)) {
            return;
        } else if (directory) {
            draft.add(at, Access.WRITE, Origin.PINNED); // as a mount it cannot be moved away
        } else if (!at.exists() && at.links().isEmpty()) {
            draft.add(at, Access.READ, Origin.PROTECTED_NAME);
        } else if (valid(head, at)) {
            ORDERS.stream().map(root::child).forEach(this::protectOrder);
        } else {
            draft.add(at, Access.READ, Origin.GIT_DIRECTORY);
        }
    }

    private static boolean inGitDirectory(LinuxPath root) {
        return root.lineage().stream()
                .filter(path -> !path.isRoot())
                .anyMatch(path -> Arrays.equals(path.name(), DOT_GIT));
    }

    /** Returns true if git looks no further than this: a directory with the parts of a repository, or a file. */
    private boolean repository(Located dotGit) {
        return dotGit.exists()
                && (!dotGit.directory()
                        || walk.locate(dotGit.path().child(HEAD)).exists()
                                && PARTS.stream()
                                        .map(dotGit.path()::child)
                                        .allMatch(part -> walk.locate(part).directory()));
    }

    /** Returns true if this may be the HEAD of a repository. */
    private boolean valid(LinuxPath head, Located at) {
        if (!at.links().isEmpty()) {
            return true;
        }
        try {
            return at.status().filter(status -> status.kind() == Kind.REGULAR).isPresent()
                    && files.read(head, HEAD_BYTES)
                            .map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1))
                            .filter(text -> VALID.matcher(text).matches())
                            .isPresent();
        } catch (NotAccessibleException e) {
            return true; // unknown
        }
    }

    private boolean empty(LinuxPath directory) {
        try {
            return files.list(directory).isEmpty();
        } catch (NotAccessibleException e) {
            return false;
        }
    }

    private void protectOrder(LinuxPath path) {
        Located at = walk.locate(path);
        boolean straight = at.links().isEmpty() && at.obstacle().isEmpty();
        if (straight && grants.at(path).isEmpty()) {
            draft.add(at, Access.READ, at.exists() ? Origin.GIT_DIRECTORY : Origin.PROTECTED_NAME);
        }
    }
}
