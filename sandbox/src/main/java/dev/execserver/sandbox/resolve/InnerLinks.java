package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.paths.FileView;
import dev.execserver.sandbox.paths.FileView.Child;
import dev.execserver.sandbox.paths.FileView.Kind;
import dev.execserver.sandbox.paths.FileView.NotAccessibleException;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PathWalk;
import dev.execserver.sandbox.paths.PathWalk.Located;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import dev.execserver.sandbox.resolve.Rule.Origin;
import java.util.List;
import java.util.Optional;

/**
 * Protects the targets of symbolic links inside of protected places. With {@code .git/hooks -> ../hooks}, for example, git
 * runs programs that lie in the workspace. In a git directory only the places that make git run programs are checked; in
 * other protected directories the first {@value #MAX_DEPTH} levels. One thread uses it, for one policy.
 */
final class InnerLinks {
    /** Levels to check in a protected directory that is not a git directory. */
    private static final int MAX_DEPTH = 3;

    private static final int MAX_ENTRIES = 512;

    private final FileView files;
    private final PathWalk walk;
    private final Grants grants;
    private final RuleDraft draft;
    private final GitLayout layout;
    private int entries;

    InnerLinks(FileView files, PathWalk walk, Grants grants, RuleDraft draft) {
        this.files = files;
        this.walk = walk;
        this.grants = grants;
        this.draft = draft;
        this.layout = new GitLayout(files);
    }

    /**
     * Adds rules for the links of a git directory and of its submodules.
     *
     * @param root the writable root that contains the protected name
     */
    void protectGit(LinuxPath root, LinuxPath git) {
        layout.orders(git).forEach(place -> protect(root, place));
        layout.modules(git).forEach(module -> layout.orders(module).forEach(place -> protect(root, place)));
    }

    /** Adds rules for the links of any other protected directory. */
    void protectTree(LinuxPath root, LinuxPath directory) {
        entries = 0;
        tree(root, directory, 1);
    }

    private void tree(LinuxPath root, LinuxPath directory, int depth) {
        List<Child> children;
        try {
            children = files.list(directory);
        } catch (NotAccessibleException e) {
            return; // a command cannot use what this user cannot read
        }
        for (Child child : children) {
            if (++entries > MAX_ENTRIES) {
                return;
            }
            LinuxPath path = directory.child(child.name());
            if (child.kind() == Kind.SYMLINK) {
                protect(root, path);
            } else if (child.kind() == Kind.DIRECTORY && depth < MAX_DEPTH && !granted(path)) {
                tree(root, path, depth + 1);
            }
        }
    }

    /**
     * Returns true if the profile makes the directory writable, such as a worktree below {@code .codex}; then it is not
     * protected.
     */
    private boolean granted(LinuxPath directory) {
        return grants.at(directory).filter(grant -> grant.access().writable()).isPresent();
    }

    private void protect(LinuxPath root, LinuxPath place) {
        Located at = walk.locate(place);
        if (at.links().isEmpty() || at.obstacle().isPresent()) {
            return; // not a link, or one that cannot be followed
        }
        Optional<LinuxPath> changeable =
                at.exists() ? Optional.of(at.path()) : at.firstMissing().map(LinuxPath::parent);
        if (changeable.filter(grants::writable).isEmpty()) {
            return;
        }
        if (root.startsWith(at.path())) {
            throw new PolicyRefusedException("the protected link " + place + " leads to " + at.path()
                    + ", so that the writable root " + root + " itself would have to be read-only; remove the link");
        }
        if (at.exists() && grants.at(at.path()).isPresent()) {
            return; // the profile itself decides about the target
        }
        at.links().stream()
                .filter(link -> !link.path().startsWith(place.parent()) && grants.writable(link.path()))
                .forEach(draft::guard);
        draft.add(at, Access.READ, Origin.PROTECTED_NAME);
    }
}
