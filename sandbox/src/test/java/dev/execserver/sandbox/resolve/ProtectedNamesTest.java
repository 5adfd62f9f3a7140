package dev.execserver.sandbox.resolve;

import static dev.execserver.sandbox.resolve.Profiles.resolve;
import static dev.execserver.sandbox.resolve.Profiles.rules;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.MemoryFiles;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of protected names that are more than a directory in their root. */
class ProtectedNamesTest {
    private final MemoryFiles files = new MemoryFiles().directory("/ws", "/out");

    @Test
    @DisplayName("B33: what a linked protected name points to is unwritable, and the link is watched")
    void b33_aLinkedProtectedNameIsProtectedAtItsTarget() {
        files.files("/ws/real/agents/a").link("/ws/.agents", "real/agents");
        ResolvedPolicy policy = resolve(files, "/:r ws:w");
        assertThat(rules(policy)).contains("/ws/real/agents:r PROTECTED_NAME", "/ws/real:w PINNED");
        assertThat(policy.guardedLinks()).singleElement().satisfies(link -> {
            assertThat(link.path()).isEqualTo(LinuxPath.of("/ws/.agents"));
            assertThat(link.target()).asString().isEqualTo("real/agents");
        });
        assertAccess(policy, Access.READ, "/ws/real/agents/a");
        assertAccess(policy, Access.WRITE, "/ws/real/x");
    }

    @Test
    @DisplayName("B33: the built-in entries that clients send for the names make no difference")
    void b33_spelledOutProtectionsAreTheSame() {
        files.directory("/ws/decoy").link("/ws/.codex", "decoy");
        String builtIn = " ws/.git:r ws/.agents:r ws/.codex:r ws/.aws:r";
        ResolvedPolicy policy = resolve(files, "/:r ws:w" + builtIn);
        assertThat(policy).isEqualTo(resolve(files, "/:r ws:w"));
        assertThat(rules(policy)).contains("/ws/decoy:r PROTECTED_NAME");
        assertThat(policy.guardedLinks()).hasSize(1);
    }

    @Test
    void everyLinkOfAChainIsWatchedWhereTheCommandCouldChangeIt() {
        files.directory("/out/git")
                .link("/ws/.git", "a")
                .link("/ws/a", "/alias")
                .link("/alias", "out/git");
        ResolvedPolicy policy = resolve(files, "/:r ws:w");
        assertThat(policy.guardedLinks())
                .extracting(link -> link.path().toString())
                .containsExactly("/ws/.git", "/ws/a");
        // A place that is not writable needs no protection.
        assertThat(rules(policy)).noneMatch(rule -> rule.contains("/out"));
    }

    @Test
    void aLinkToNothingMustStayOne() {
        files.link("/ws/.codex", "gone/x");
        assertThat(rules(resolve(files, "/:r ws:w"))).contains("/ws/gone?:r PROTECTED_NAME");
    }

    @Test
    void aLinkToTheRootItselfIsRefused() {
        files.link("/ws/.codex", ".");
        assertThatThrownBy(() -> resolve(files, "/:r ws:w"))
                .hasMessage(
                        "the protected name /ws/.codex is a symbolic link to /ws, so that the writable root /ws itself"
                                + " would have to be read-only; remove the link");
        files.link("/ws/.codex", ".codex");
        assertThatThrownBy(() -> resolve(files, "/:r ws:w"))
                .hasMessageContaining("too many levels of symbolic links at /ws/.codex");
    }

    @Test
    void thePointerOfAGitFileIsFollowed() {
        files.files("/real/g/HEAD", "/real/other").file("/ws/.git", "gitdir: /real/g\n");
        ResolvedPolicy policy = resolve(files, "/:r ws:w /real:w");
        assertThat(rules(policy)).contains("/ws/.git:r PROTECTED_NAME", "/real/g:r GIT_DIRECTORY");
        assertAccess(policy, Access.WRITE, "/real/other");
        files.file("/ws/.git", "gitdir: ../real/g");
        assertThat(rules(resolve(files, "/:r ws:w /real:w"))).contains("/real/g:r GIT_DIRECTORY");
        assertThat(rules(resolve(files, "/:r ws:w"))).noneMatch(rule -> rule.contains("GIT_DIRECTORY"));
    }

    @Test
    void aPointerToNothingProtectsTheFileOnly() {
        for (String pointer : new String[] {"gitdir: /gone", "gitdir:", "nonsense", "gitdir: /ws", "gitdir: /"}) {
            files.file("/ws/.git", pointer);
            assertThat(rules(resolve(files, "/:r ws:w")))
                    .contains("/ws/.git:r PROTECTED_NAME")
                    .noneMatch(rule -> rule.contains("GIT_DIRECTORY"));
        }
    }

    @Test
    @DisplayName(
            "B34: in a linked worktree of a writable repository git can add and commit, hooks and config stay read-only")
    void b34_aLinkedWorktreeCanBeCommittedTo() {
        worktree();
        for (String grant : new String[] {"/repo:w", "/repo/.git:w"}) {
            ResolvedPolicy policy = resolve(files, "/:r ws:w " + grant);
            String git = "/repo/.git/";
            assertAccess(
                    policy,
                    Access.WRITE,
                    git + "worktrees/wt/index.lock",
                    git + "worktrees/wt/HEAD",
                    git + "objects/ab/cd",
                    git + "refs/heads/x",
                    git + "logs/HEAD");
            assertAccess(
                    policy,
                    Access.READ,
                    git + "hooks/pre-commit",
                    git + "config",
                    git + "worktrees/other/commondir",
                    git + "worktrees/wt/commondir",
                    git + "worktrees/wt/gitdir",
                    git + "worktrees/wt/config.worktree",
                    git + "modules/x/config",
                    git + "commondir",
                    "/ws/.git");
        }
    }

    @Test
    void aWorktreeOpensNothingThatTheProfileDoesNotGrant() {
        worktree();
        ResolvedPolicy policy = resolve(files, "/:r ws:w");
        assertAccess(policy, Access.READ, "/repo/.git/objects/x", "/repo/.git/worktrees/wt/index");
        ResolvedPolicy partly = resolve(files, "/:r ws:w /repo:w /repo/.git/objects:r");
        assertAccess(partly, Access.READ, "/repo/.git/objects/x");
    }

    @Test
    void aRepositoryThatDoesNotKnowTheWorktreeIsNotOpened() {
        worktree();
        files.file("/repo/.git/worktrees/wt/gitdir", "/elsewhere/.git\n");
        ResolvedPolicy policy = resolve(files, "/:r ws:w /repo:w");
        assertAccess(policy, Access.READ, "/repo/.git/worktrees/wt/index", "/repo/.git/objects/x");
    }

    @Test
    void aDeniedProtectedNameStaysDenied() {
        files.files("/ws/.git/HEAD");
        assertAccess(resolve(files, "/:r ws:w ws/.git:deny"), Access.DENY, "/ws/.git/HEAD");
        assertAccess(resolve(files, "ws:w"), Access.READ, "/ws/.git/HEAD");
    }

    @Test
    void whatALinkInsideAProtectedPlaceLeadsToIsProtectedToo() {
        files.files("/ws/hooks/pre-commit", "/ws/conf", "/ws/scripts/run", "/ws/skills/s")
                .files("/ws/.git/HEAD", "/ws/.git/modules/a/HEAD", "/ws/.git/modules/a/x")
                .link("/ws/.git/hooks", "../hooks")
                .link("/ws/.git/config", "../alias")
                .link("/ws/alias", "conf")
                .link("/ws/.git/modules/a/hooks", "/ws/scripts")
                .link("/ws/.agents/skills", "../skills");
        ResolvedPolicy policy = resolve(files, "/:r ws:w");
        assertAccess(
                policy,
                Access.READ,
                "/ws/hooks/pre-commit",
                "/ws/conf",
                "/ws/scripts/run",
                "/ws/skills/s",
                "/ws/hooks/new");
        assertAccess(policy, Access.WRITE, "/ws/other");
        assertThat(policy.guardedLinks())
                .extracting(link -> link.path().toString())
                .containsExactly("/ws/alias");
    }

    @Test
    void aLinkInsideAProtectedPlaceToNothingMustStayOne() {
        files.files("/ws/.git/HEAD").link("/ws/.git/hooks", "../hooks");
        assertThat(rules(resolve(files, "/:r ws:w"))).contains("/ws/hooks?:r PROTECTED_NAME");
    }

    @Test
    void aHookThatIsALinkProtectsTheScript() {
        files.files("/ws/.git/HEAD", "/ws/tools/check").link("/ws/.git/hooks/pre-commit", "../../tools/check");
        ResolvedPolicy policy = resolve(files, "/:r ws:w");
        assertAccess(policy, Access.READ, "/ws/tools/check");
        assertAccess(policy, Access.WRITE, "/ws/tools/other");
    }

    @Test
    void aGitDirectoryElsewhereIsLookedThroughAsWell() {
        files.files("/ws/real/HEAD", "/ws/evil/pre-commit")
                .link("/ws/.git", "real")
                .link("/ws/real/hooks", "../evil");
        assertAccess(resolve(files, "/:r ws:w"), Access.READ, "/ws/real/HEAD", "/ws/evil/pre-commit");
    }

    @Test
    void aLinkInsideAProtectedPlaceToTheRootIsRefused() {
        files.files("/ws/.codex/f").link("/ws/.codex/x", "..");
        assertThatThrownBy(() -> resolve(files, "/:r ws:w"))
                .hasMessage(
                        "the protected link /ws/.codex/x leads to /ws, so that the writable root /ws itself would have"
                                + " to be read-only; remove the link");
        assertThat(rules(resolve(files, "/:r ws:r"))).containsExactly("/:r");
    }

    @Test
    void thePointersOfSubmodulesAreProtectedWhereverTheGitDirectoryLies() {
        for (String git : new String[] {"/ws/store", "/elsewhere/store"}) {
            MemoryFiles repository = new MemoryFiles();
            repository
                    .file("/ws/.git", "gitdir: " + git + "\n")
                    .files(git + "/HEAD", git + "/modules/a/HEAD", "/ws/a/file")
                    .file(git + "/modules/a/config", "[core]\n\tworktree = /ws/a\n")
                    .file("/ws/a/.git", "gitdir: " + git + "/modules/a\n");
            ResolvedPolicy policy = resolve(repository, "/:r ws:w");
            assertAccess(policy, Access.READ, "/ws/a/.git");
            assertAccess(policy, Access.WRITE, "/ws/a/file");
        }
    }

    @Test
    void thePointersOfSubmodulesOfALinkedWorktreeAreProtected() {
        files.files("/repo/.git/HEAD", "/repo/.git/worktrees/ws/HEAD", "/ws/a/file")
                .file("/repo/.git/worktrees/ws/commondir", "../..\n")
                .file("/repo/.git/worktrees/ws/gitdir", "/ws/.git\n")
                .files("/repo/.git/worktrees/ws/modules/a/HEAD")
                .file("/repo/.git/worktrees/ws/modules/a/config", "[core]\n\tworktree = /ws/a\n")
                .file("/ws/.git", "gitdir: /repo/.git/worktrees/ws\n")
                .file("/ws/a/.git", "gitdir: /repo/.git/worktrees/ws/modules/a\n");
        ResolvedPolicy policy = resolve(files, "/:r ws:w");
        assertAccess(policy, Access.READ, "/ws/a/.git");
        assertAccess(policy, Access.WRITE, "/ws/a/file");
    }

    @Test
    void thePointersOfSubmodulesAreProtected() {
        files.files("/ws/.git/HEAD", "/ws/.git/modules/libs/a/HEAD", "/ws/a/file", "/ws/old/.git/HEAD")
                .file("/ws/.git/modules/libs/a/config", "[core]\n\tbare = false\n\tworktree = ../../../../a\n")
                .file("/ws/a/.git", "gitdir: ../.git/modules/libs/a\n");
        ResolvedPolicy policy = resolve(files, "/:r ws:w");
        assertAccess(policy, Access.READ, "/ws/a/.git", "/ws/.git/modules/libs/a/hooks/x");
        assertAccess(policy, Access.WRITE, "/ws/a/file", "/ws/old/.git/HEAD");
    }

    @Test
    void theGitDirectoryOfASubmoduleIsProtectedWhereItsRepositoryIsWritable() {
        files.file("/repo/a/.git", "gitdir: ../.git/modules/a\n")
                .files("/repo/.git/HEAD", "/repo/.git/modules/a/HEAD", "/repo/.git/modules/a/objects/x")
                .file("/repo/.git/modules/a/config", "[core]\n\tworktree = ../../../a\n");
        for (String grant : new String[] {"/repo:w", "/repo/.git:w"}) {
            ResolvedPolicy policy = resolve(files, "/:r /repo/a:w " + grant);
            String git = "/repo/.git/modules/a/";
            assertAccess(
                    policy,
                    Access.READ,
                    git + "objects/x",
                    git + "config",
                    git + "hooks/pre-commit",
                    git + "commondir");
            assertAccess(policy, Access.READ, "/repo/a/.git");
            assertThat(rules(policy)).noneMatch(rule -> rule.contains("commondir"));
        }
    }

    private void worktree() {
        files.file("/ws/.git", "gitdir: /repo/.git/worktrees/wt\n")
                .file("/repo/.git/worktrees/wt/gitdir", "/ws/.git\n")
                .file("/repo/.git/worktrees/wt/commondir", "../..\n")
                .files("/repo/.git/worktrees/other/commondir", "/repo/.git/config", "/repo/.git/hooks/pre-commit")
                .directory("/repo/.git/objects", "/repo/.git/refs", "/repo/.git/logs");
    }

    @Test
    void placesOfSubmodulesAreProtectedAlsoBeforeTheyAreInitialised() {
        files.directory("/ws/.git", "/ws/sub", "/ws/libs", "/ws/old/.git", "/ws/src")
                .file(
                        "/ws/.gitmodules",
                        "[submodule \"sub\"]\n\tpath = sub\n\turl = x\n[submodule \"a\"]\n\tpath=libs/a\n"
                                + "[submodule \"o\"]\n\tPath = \"old\"\n[submodule \"bad\"]\n\tpath = ../out\n"
                                + "[submodule \"worse\"]\n\tpath = /out\n\tpath = src/../..\n")
                .file("/ws/sub/.gitmodules", "[submodule \"n\"]\n\tpath = nested\n")
                .directory("/ws/sub/nested");
        ResolvedPolicy policy = resolve(files, "/:r ws:w");
        assertThat(rules(policy))
                .contains(
                        "/ws/.gitmodules:r GIT_DIRECTORY",
                        "/ws/sub/.git?:r PROTECTED_NAME",
                        "/ws/libs/a?:r PROTECTED_NAME",
                        "/ws/old/.git:r GIT_DIRECTORY",
                        "/ws/sub/.gitmodules:r GIT_DIRECTORY",
                        "/ws/sub/nested/.git?:r PROTECTED_NAME")
                .noneMatch(rule -> rule.contains("/out") || rule.contains("src"));
        assertAccess(policy, Access.WRITE, "/ws/sub/file");
        assertAccess(policy, Access.WRITE, "/ws/src/x");
    }

    @Test
    void theNumberOfProtectedSubmodulesIsBounded() {
        StringBuilder text = new StringBuilder();
        files.directory("/ws/.git");
        for (int i = 0; i < GitModules.MAX_MODULES + 10; i++) {
            files.directory("/ws/m" + i);
            text.append("[submodule]\npath = m").append(i).append('\n');
        }
        files.file("/ws/.gitmodules", text.toString());
        assertThat(rules(resolve(files, "/:r ws:w")))
                .filteredOn(rule -> rule.contains("/.git?"))
                .hasSize(GitModules.MAX_MODULES);
    }

    @Test
    void withoutARepositoryNoSubmoduleIsLookedFor() {
        files.directory("/ws/sub").file("/ws/.gitmodules", "[submodule]\npath = sub\n");
        assertThat(rules(resolve(files, "/:r ws:w"))).noneMatch(rule -> rule.contains("sub"));
    }

    @Test
    void aRootWithoutARepositoryCannotBecomeOneItself() {
        files.directory("/ws/.git");
        assertThat(rules(resolve(files, "/:r ws:w"))).contains("/ws/HEAD?:r PROTECTED_NAME");

        files.files("/ws/HEAD").directory("/ws/objects");
        assertThat(rules(resolve(files, "/:r ws:w")))
                .contains("/ws/HEAD:r GIT_DIRECTORY")
                .noneMatch(rule -> rule.contains("config"));
    }

    @Test
    void aDirectoryInThePlaceOfAHeadStaysWritableAndCannotBeMoved() {
        files.directory("/ws/HEAD/x");
        assertThat(rules(resolve(files, "/:r ws:w"))).contains("/ws/HEAD:w PINNED");
    }

    @Test
    void theEmptyDirectoryInThePlaceOfAHeadIsThePlaceholderOfAnotherCommand() {
        files.directory("/ws/HEAD");
        assertThat(rules(resolve(files, "/:r ws:w"))).contains("/ws/HEAD:r PROTECTED_NAME");

        files.files("/ws/.git/HEAD").directory("/ws/.git/objects", "/ws/.git/refs");
        assertThat(rules(resolve(files, "/:r ws:w"))).contains("/ws/HEAD:r PROTECTED_NAME");
    }

    @Test
    void aBareRepositoryAsRootKeepsItsOrders() {
        files.file("/ws/HEAD", "ref: refs/heads/main\n")
                .files("/ws/config", "/ws/refs/heads/main")
                .directory("/ws/objects");
        ResolvedPolicy policy = resolve(files, "/:r ws:w");
        assertThat(rules(policy)).contains("/ws/config:r GIT_DIRECTORY", "/ws/hooks?:r PROTECTED_NAME");
        assertAccess(policy, Access.WRITE, "/ws/HEAD", "/ws/refs/heads/main", "/ws/objects");
    }

    @Test
    void aRootWithARepositoryNeedsNoMore() {
        files.files("/ws/.git/HEAD").directory("/ws/.git/objects", "/ws/.git/refs");
        assertThat(rules(resolve(files, "/:r ws:w"))).noneMatch(rule -> rule.contains("/ws/HEAD"));
    }

    @Test
    void anEntryForTheRepositoryOrForAHeadReplacesThatToo() {
        files.directory("/ws/.git").files("/ws/HEAD");
        assertThat(rules(resolve(files, "/:r ws:w ws/.git:w"))).noneMatch(rule -> rule.contains("/ws/HEAD"));
        assertThat(rules(resolve(files, "/:r ws:w ws/HEAD:w"))).noneMatch(rule -> rule.contains("/ws/HEAD:r"));
    }

    private static void assertAccess(ResolvedPolicy policy, Access access, String... paths) {
        for (String path : paths) {
            assertThat(policy.access(LinuxPath.of(path))).as(path).isEqualTo(access);
        }
    }
}
