package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.protocol.permissions.ProtectedNames;
import dev.execserver.sandbox.paths.FileView;
import dev.execserver.sandbox.paths.FileView.Kind;
import dev.execserver.sandbox.paths.FileView.NotAccessibleException;
import dev.execserver.sandbox.paths.FileView.Status;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PathWalk;
import dev.execserver.sandbox.paths.PathWalk.Located;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import dev.execserver.sandbox.resolve.Rule.Origin;
import java.util.List;
import java.util.Optional;

/** Makes the protected names of writable roots read-only. One thread uses it, for one policy. */
final class Protections {
    /** Directories of a repository that git writes when files are added and committed in a linked worktree. */
    private static final List<String> WORKTREE_WRITES = List.of("objects", "refs", "logs");

    private static final List<String> WORKTREE_ORDERS = List.of("commondir", "gitdir", "config.worktree", "modules");

    private final FileView files;
    private final PathWalk walk;
    private final GitPointer git;
    private final Grants grants;
    private final RuleDraft draft;
    private final InnerLinks innerLinks;
    private final BareLayout bareLayout;

    Protections(FileView files, PathWalk walk, Grants grants, RuleDraft draft) {
        this.files = files;
        this.walk = walk;
        this.git = new GitPointer(files, walk);
        this.grants = grants;
        this.draft = draft;
        this.innerLinks = new InnerLinks(files, walk, grants, draft);
        this.bareLayout = new BareLayout(files, walk, grants, draft);
    }

    /** Adds the rules for a writable root. A root that is a single file gets none. */
    void protect(LinuxPath root) {
        for (String name : ProtectedNames.ALL) {
            LinuxPath path = root.child(name);
            boolean replaced = grants.at(path)
                    .filter(grant -> grant.access() != Access.READ)
                    .isPresent();
            if (!replaced) {
                protectName(root, path);
            }
            if (name.equals(".git")) {
                protectGitDirectory(path);
            }
            LinuxPath directory = walk.locate(path).path();
            if (name.equals(".git")) {
                innerLinks.protectGit(root, directory);
                protectSubmodules(directory);
                if (!replaced) {
                    bareLayout.protect(root);
                }
                if (walk.locate(path).exists() && !replaced) {
                    new GitModules(files, walk).find(root).forEach(this::protectNamed);
                }
            } else {
                innerLinks.protectTree(root, directory);
            }
        }
    }

    private void protectName(LinuxPath root, LinuxPath path) {
        Located at = walk.locate(path);
        if (at.links().isEmpty()) {
            draft.add(
                    at,
                    Access.READ,
                    Origin.PROTECTED_NAME,
                    at.status().filter(this::empty).isPresent() || at.directory() && emptyDirectory(path));
            return;
        }
        at.obstacle().ifPresent(obstacle -> {
            throw new PolicyRefusedException("the protected name " + path + " cannot be protected: " + obstacle);
        });
        if (root.startsWith(at.path())) {
            throw new PolicyRefusedException("the protected name " + path + " is a symbolic link to " + at.path()
                    + ", so that the writable root " + root + " itself would have to be read-only; remove the link");
        }
        at.links().stream().filter(link -> grants.writable(link.path())).forEach(draft::guard);
        boolean explicit = at.exists() && grants.at(at.path()).isPresent();
        if (!explicit) {
            draft.add(at, Access.READ, Origin.PROTECTED_NAME);
        }
    }

    private boolean empty(Status status) {
        return status.kind() == Kind.REGULAR && status.size() == 0;
    }

    private boolean emptyDirectory(LinuxPath path) {
        try {
            return files.list(path).isEmpty();
        } catch (NotAccessibleException e) {
            return false;
        }
    }

    /**
     * Protects the git directory that the {@code .git} file of the root names. That of a submodule stays read-only. If it
     * were writable, an empty file would have to stand in for the missing {@code commondir}, and git fails on an empty one.
     */
    private void protectGitDirectory(LinuxPath dotGit) {
        Optional<Located> target = git.target(dotGit).filter(Located::exists);
        if (target.isEmpty() || dotGit.startsWith(target.get().path())) {
            return;
        }
        LinuxPath directory = target.get().path();
        Optional<LinuxPath> common =
                git.commonDirectory(directory, dotGit).map(Located::path).filter(grants::writable);
        if (common.isPresent()) {
            openWorktree(common.get(), directory);
        } else {
            add(directory, Access.READ);
        }
        innerLinks.protectGit(dotGit.parent(), directory);
        protectSubmodules(directory);
        common.ifPresent(repository -> {
            innerLinks.protectGit(dotGit.parent(), repository);
            protectSubmodules(repository);
        });
    }

    /** Protects the {@code .git} files of submodules: git in the repository follows them into its submodules. */
    private void protectSubmodules(LinuxPath directory) {
        for (LinuxPath module : new GitLayout(files).modules(directory)) {
            git.worktree(module).map(Located::path).filter(grants::writable).ifPresent(tree -> {
                LinuxPath pointer = tree.child(".git");
                boolean file = walk.locate(pointer)
                        .status()
                        .filter(status -> status.kind() == Kind.REGULAR)
                        .isPresent();
                if (file) {
                    add(pointer, Access.READ);
                }
            });
        }
    }

    /** Protects a place that {@code .gitmodules} names. What is missing is kept by a directory, as git has it there. */
    private void protectNamed(LinuxPath path) {
        Located at = walk.locate(path);
        if (at.links().isEmpty() && at.obstacle().isEmpty() && grants.at(path).isEmpty() && grants.writable(path)) {
            draft.add(at, Access.READ, at.exists() ? Origin.GIT_DIRECTORY : Origin.PROTECTED_NAME);
        }
    }

    /**
     * Opens a linked worktree of a repository that the profile makes writable. Git writes to the directory of the worktree
     * and to objects, references and logs of the repository. Nothing else there becomes writable, unless an entry names the
     * directory itself. Files that make git run programs stay read-only in any case.
     */
    private void openWorktree(LinuxPath common, LinuxPath worktree) {
        GitLayout.ORDERS.forEach(name -> add(common.child(name), Access.READ));
        GitLayout.UNFINISHED.stream()
                .map(common::child)
                .filter(path -> walk.locate(path).exists())
                .forEach(path -> add(path, Access.READ));
        WORKTREE_WRITES.forEach(name -> open(common.child(name)));
        open(worktree);
        WORKTREE_ORDERS.forEach(name -> add(worktree.child(name), Access.READ));
    }

    private void open(LinuxPath path) {
        if (walk.locate(path).directory()) {
            add(path, Access.WRITE);
        }
    }

    private void add(LinuxPath path, Access access) {
        Located at = walk.locate(path);
        boolean straight = at.links().isEmpty() && at.obstacle().isEmpty();
        if (straight && grants.at(path).isEmpty() && grants.writable(path)) {
            draft.add(at, access, Origin.GIT_DIRECTORY);
        }
    }
}
