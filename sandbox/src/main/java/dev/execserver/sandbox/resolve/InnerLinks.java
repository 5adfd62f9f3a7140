package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.resolve.FileView.Child;
import dev.execserver.sandbox.resolve.FileView.Kind;
import dev.execserver.sandbox.resolve.FileView.NotAccessibleException;
import dev.execserver.sandbox.resolve.PathWalk.Located;
import dev.execserver.sandbox.resolve.Rule.Origin;
import java.util.List;
import java.util.Optional;

/**
 * Protects what symbolic links inside of protected places lead to: {@code .git/hooks -> ../hooks} makes git run what lies in
 * the workspace. In git directories those places are looked at that git takes orders from, elsewhere the first levels. Used by
 * one thread, for one policy.
 */
final class InnerLinks {
    /** Levels of a protected directory that is none of git, and entries of all of them. */
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
     * @param root the writable root that it is protected for
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
            return; // nothing is used through what cannot be read
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

    /** Returns true if the profile makes the directory writable, as a worktree below {@code .codex}: it is no protected place. */
    private boolean granted(LinuxPath directory) {
        return grants.at(directory).filter(grant -> grant.access().writable()).isPresent();
    }

    private void protect(LinuxPath root, LinuxPath place) {
        Located at = walk.locate(place);
        if (at.links().isEmpty() || at.obstacle().isPresent()) {
            return; // it leads nowhere
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
            return; // the profile says itself what may be done there
        }
        at.links().stream()
                .filter(link -> !link.path().startsWith(place.parent()) && grants.writable(link.path()))
                .forEach(draft::guard);
        draft.add(at, Access.READ, Origin.PROTECTED_NAME);
    }
}
