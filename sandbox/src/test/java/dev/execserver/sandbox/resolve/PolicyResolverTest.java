package dev.execserver.sandbox.resolve;

import static dev.execserver.sandbox.resolve.Profiles.WS;
import static dev.execserver.sandbox.resolve.Profiles.directories;
import static dev.execserver.sandbox.resolve.Profiles.managed;
import static dev.execserver.sandbox.resolve.Profiles.resolve;
import static dev.execserver.sandbox.resolve.Profiles.rules;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.protocol.permissions.NetworkPolicy;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.sandbox.paths.CrossedLink;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.MemoryFiles;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import dev.execserver.sandbox.resolve.ResolvedPolicy.Kind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PolicyResolverTest {
    private static final String[] PROTECTED = {
        "/ws/.agents?:r PROTECTED_NAME",
        "/ws/.aws?:r PROTECTED_NAME",
        "/ws/.codex?:r PROTECTED_NAME",
        "/ws/.git?:r PROTECTED_NAME",
        "/ws/HEAD?:r PROTECTED_NAME"
    };

    private final MemoryFiles files = new MemoryFiles().directory("/ws", "/out", "/tmp");

    @Test
    void aWorkspaceIsWritableButForItsProtectedNames() {
        files.files("/ws/.git/HEAD", "/ws/sub/.git/HEAD")
                .directory("/ws/.codex", "/ws/.git/objects", "/ws/.git/refs")
                .file("/ws/.agents", "");
        ResolvedPolicy policy = resolve(files, "/:r ws:w");
        assertThat(rules(policy))
                .containsExactly(
                        "/:r",
                        "/ws:w",
                        "/ws/.agents:r PROTECTED_NAME",
                        "/ws/.aws?:r PROTECTED_NAME",
                        "/ws/.codex:r PROTECTED_NAME",
                        "/ws/.git:r PROTECTED_NAME");
        assertThat(policy.rules().get(2).found())
                .isInstanceOfSatisfying(
                        RuleTarget.File.class, f -> assertThat(f.empty()).isTrue());
        assertThat(policy.rules().get(4).found())
                .isInstanceOfSatisfying(
                        RuleTarget.Directory.class, f -> assertThat(f.empty()).isTrue());
        assertThat(policy.rules().get(5).found())
                .isInstanceOfSatisfying(
                        RuleTarget.Directory.class, f -> assertThat(f.empty()).isFalse());
        assertAccess(policy, Access.WRITE, "/ws", "/ws/x", "/ws/sub/.git/HEAD");
        assertAccess(policy, Access.READ, "/out/x", "/ws/.git", "/ws/.git/HEAD", "/ws/.aws/x");
        assertThat(policy.fullRead()).isTrue();
        assertThat(policy.fullWrite()).isFalse();
    }

    @Test
    void theMostSpecificRuleWins() {
        files.files("/ws/a/b/c/f", "/ws/a/f");
        ResolvedPolicy policy = resolve(files, "/:r ws:w /ws/a:deny /ws/a/b:w /ws/a/b/c:r");
        assertAccess(policy, Access.WRITE, "/ws/f", "/ws/a/b/f");
        assertAccess(policy, Access.DENY, "/ws/a", "/ws/a/f");
        assertAccess(policy, Access.READ, "/ws/a/b/c/f");
    }

    @Test
    void aReadBelowADenialIsVisible() {
        files.files("/out/pub/f", "/out/secret");
        ResolvedPolicy policy = resolve(files, "/:r /out:deny /out/pub:r");
        assertThat(rules(policy)).containsExactly("/:r", "/out:deny", "/out/pub:r");
        assertThat(policy.opensBelow(LinuxPath.of("/out"))).isTrue();
        assertAccess(policy, Access.READ, "/out/pub/f");
        assertAccess(policy, Access.DENY, "/out/secret");
        assertThat(policy.fullRead()).isFalse();
    }

    @Test
    void atOnePathDenyBeatsWriteBeatsRead() {
        assertAccess(resolve(files, "/:r ws:r /ws:w"), Access.WRITE, "/ws/x");
        assertAccess(resolve(files, "/:r ws:w /ws:deny"), Access.DENY, "/ws/x");
        files.link("/lnk", "ws");
        assertAccess(resolve(files, "/:r ws:w /lnk:deny"), Access.DENY, "/ws/x");
    }

    @Test
    void whatIsMissingIsBlockedWhereItCouldBeMade() {
        ResolvedPolicy policy = resolve(files, "/:r ws:w /ws/m/n/o:r /out/m:deny /none:w /ws/none:w");
        assertThat(rules(policy))
                .contains("/ws/m?:r")
                .noneMatch(rule -> rule.contains("none") || rule.contains("/out"));
        files.fixed("/ws");
        assertThat(rules(resolve(files, "/:r ws:w /ws/m:r"))).containsExactly("/:r", "/ws:w");
    }

    @Test
    void aFileWhereTheProfileHasADirectoryStaysOne() {
        files.files("/ws/a", "/ws/b", "/out/c");
        ResolvedPolicy policy = resolve(files, "/:r ws:w /ws/a/x:r /ws/b/y/z:deny /out/c/x:deny");
        assertThat(rules(policy)).contains("/ws/a:r PINNED", "/ws/b:r PINNED").noneMatch(rule -> rule.contains("/out"));
        // That grants nothing.
        assertThat(rules(resolve(files, "ws:deny /ws/a/x:r"))).isEmpty();
        assertThat(rules(resolve(files, "/:r ws:w /ws/a:w /ws/a/x:r"))).contains("/ws/a:w");
    }

    @Test
    void aWritableRootOfOneFileHasNoProtectedNames() {
        files.files("/out/secret");
        assertThat(rules(resolve(files, "/:r /out/secret:w"))).containsExactly("/:r", "/out/secret:w");
    }

    @Test
    void everyWritableRootIsProtected() {
        files.directory("/two/.git");
        assertThat(rules(resolve(files, "/:r /two:w")))
                .contains("/two/.git:r PROTECTED_NAME", "/two/.codex?:r PROTECTED_NAME");
        assertThat(rules(resolve(files, "/:r slash_tmp:w"))).contains("/tmp/.git?:r PROTECTED_NAME");
    }

    @Test
    void anEntryForAProtectedNameReplacesTheProtection() {
        files.files("/ws/.git/HEAD", "/ws/.codex/c");
        ResolvedPolicy policy = resolve(files, "/:r ws:w /ws/.git:w /ws/.codex:deny");
        assertAccess(policy, Access.WRITE, "/ws/.git/HEAD");
        assertAccess(policy, Access.DENY, "/ws/.codex/c");
        // The names inside of it take nothing from the entry.
        assertThat(rules(policy)).contains("/ws/.git:w", "/ws/.git/.git?:r PROTECTED_NAME");
    }

    @Test
    void overlappingRootsAreProtectedEach() {
        files.directory("/base/ws");
        ResolvedPolicy policy = resolve(files, "/:r /base:w /base/ws:w");
        assertThat(rules(policy)).contains("/base:w", "/base/ws:w", "/base/ws/.git?:r PROTECTED_NAME");
        assertAccess(policy, Access.WRITE, "/base/y", "/base/ws/x");
    }

    @Test
    void directoriesBetweenARootAndANarrowerRuleArePinned() {
        files.files("/ws/a/b/secret");
        ResolvedPolicy policy = resolve(files, "/:r ws:w /ws/a/b/secret:deny");
        assertThat(rules(policy)).contains("/ws/a:w PINNED", "/ws/a/b:w PINNED", "/ws/a/b/secret:deny");
        assertAccess(policy, Access.WRITE, "/ws/a/b/other");
        files.files("/ws/keys/k.key");
        assertThat(rules(resolve(files, "/:r ws:w /ws/keys/**/*.key:deny")))
                .contains("/ws/keys:w PINNED", "/ws/keys/k.key:deny GLOB");
    }

    @Test
    void restrictedReadsShowThePlatformAndTheLinksToIt() {
        files.files("/usr/bin/sh", "/etc/passwd", "/home/u/f").link("/bin", "usr/bin");
        ResolvedPolicy policy = resolve(files, "minimal:r ws:r /etc/passwd:deny");
        assertThat(rules(policy))
                .containsExactly("/etc:r PLATFORM_DEFAULT", "/usr:r PLATFORM_DEFAULT", "/ws:r", "/etc/passwd:deny");
        assertThat(policy.platformDefaults()).isTrue();
        assertThat(policy.aliases()).extracting(link -> link.path().toString()).containsExactly("/bin");
        assertAccess(policy, Access.DENY, "/", "/home/u/f", "/etc/passwd", "/out");
        assertAccess(policy, Access.READ, "/usr/bin/sh", "/ws/a");
    }

    @Test
    void aDeniedRootIsNoRootAtAll() {
        files.files("/usr/bin/sh");
        assertThat(rules(resolve(files, "/:deny minimal:r ws:w")))
                .containsExactly(
                        "/usr:r PLATFORM_DEFAULT",
                        "/ws:w",
                        PROTECTED[0],
                        PROTECTED[1],
                        PROTECTED[2],
                        PROTECTED[3],
                        PROTECTED[4]);
    }

    @Test
    void aRootReachedThroughALinkIsItsTarget() {
        files.directory("/tgt").link("/lnk", "tgt");
        ResolvedPolicy policy = resolve(files, "/lnk:w");
        assertThat(rules(policy)).contains("/tgt:w").noneMatch(rule -> rule.startsWith("/lnk"));
        assertThat(policy.aliases()).extracting(CrossedLink::path).containsExactly(LinuxPath.of("/lnk"));
        assertThat(resolve(files, "/:r /lnk:w").aliases()).isEmpty();
    }

    @Test
    void tmpdirIsWhatTheVariableNames() {
        files.directory("/var/t");
        PolicyDirectories withTmpdir = new PolicyDirectories(
                Optional.of(WS), List.of(WS), Optional.of(LinuxPath.of("/var/t")), Optional.empty());
        assertAccess(resolve(files, managed("/:r tmpdir:w"), withTmpdir), Access.WRITE, "/var/t/x");
        assertThat(rules(resolve(files, "/:r tmpdir:w"))).containsExactly("/:r");
        PolicyDirectories missing = new PolicyDirectories(
                Optional.of(WS), List.of(WS), Optional.of(LinuxPath.of("/nope")), Optional.empty());
        assertThat(rules(resolve(files, managed("/:r tmpdir:w"), missing))).containsExactly("/:r");
    }

    @Test
    void tmpdirThroughALinkOfTheCommandIsLeftOut() {
        files.directory("/etc/x").link("/tmp/mine", "/etc/x");
        PolicyDirectories linked = new PolicyDirectories(
                Optional.of(WS), List.of(WS), Optional.of(LinuxPath.of("/tmp/mine")), Optional.empty());
        ResolvedPolicy policy = resolve(files, managed("/:r slash_tmp:w tmpdir:w"), linked);
        assertAccess(policy, Access.READ, "/etc/x/f");
        assertThat(policy.warnings())
                .containsExactly(
                        "cannot grant writing to the TMPDIR /tmp/mine because it crosses writable symlink /tmp/mine");
    }

    @Test
    void workspaceRootsAreWhatTheRequestSays() {
        PolicyDirectories none = new PolicyDirectories(Optional.of(WS), List.of(), Optional.empty(), Optional.empty());
        assertThat(rules(resolve(files, managed("/:r ws:w ws/sub:w"), none))).containsExactly("/:r");
        PolicyDirectories two = new PolicyDirectories(
                Optional.of(WS), List.of(WS, LinuxPath.of("/out")), Optional.empty(), Optional.empty());
        files.directory("/out/sub");
        ResolvedPolicy policy = resolve(files, managed("/:r ws/sub:w"), two);
        assertAccess(policy, Access.WRITE, "/out/sub/x");
        assertAccess(policy, Access.READ, "/out/x", "/ws/sub");
    }

    @Test
    void entriesThroughALinkThatTheCommandCanChangeAreRefused() {
        files.directory("/ws/d/x").link("/ws/l", "/out").link("/ws/m", "d");
        assertRefused(
                "/:r ws:w /ws/l:deny",
                "cannot enforce sandbox deny-read path /ws/l because it crosses writable symlink /ws/l; name the path that it leads to, /out");
        assertRefused(
                "/:r ws:w /ws/m/x:r",
                "cannot enforce sandbox read-only path /ws/m/x because it crosses writable symlink /ws/m; name the path that it leads to, /ws/d/x");
        assertRefused(
                "/:r ws:w /ws/l:w",
                "cannot grant writing to the path /ws/l because it crosses writable symlink /ws/l; name the path that it leads to, /out");
        // A place that is writable anyway may be named by any path.
        assertAccess(resolve(files, "/:r ws:w /ws/m:w"), Access.WRITE, "/ws/d/x");
    }

    @Test
    void aLinkOutsideOfWritableRootsIsFollowed() {
        files.files("/out/secret").link("/sl", "out/secret");
        assertThat(rules(resolve(files, "/:r ws:w /sl:deny"))).contains("/out/secret:deny");
    }

    @Test
    void whatIsAnotherFileForEachProcessCannotBeDenied() {
        files.files("/proc/7/environ").link("/proc/self", "7");
        assertRefused(
                "/:r /proc/self/environ:deny",
                "cannot enforce sandbox deny-read path /proc/self/environ because it is another one for each process;"
                        + " deny /proc by path");
        assertThat(rules(resolve(files, "/:r /proc/7/environ:deny"))).contains("/proc/7/environ:deny");
    }

    @Test
    void profilesThatRestrictNothingHaveNoRules() {
        ResolvedPolicy external =
                resolve(files, new PermissionProfile.External(NetworkPolicy.RESTRICTED), directories());
        assertThat(external.kind()).isEqualTo(Kind.EXTERNAL);
        assertThat(external.network()).isEqualTo(NetworkPolicy.RESTRICTED);
        assertAccess(external, Access.WRITE, "/ws/.git/x");
        assertThat(resolve(files, PermissionProfile.DISABLED, directories())).isEqualTo(ResolvedPolicy.UNSANDBOXED);
        ResolvedPolicy unrestricted = resolve(files, Profiles.unrestricted(NetworkPolicy.ENABLED), directories());
        assertThat(unrestricted.kind()).isEqualTo(Kind.UNRESTRICTED);
        assertThat(rules(unrestricted)).containsExactly("/:w");
        assertThat(resolve(files, "/:w").fullWrite()).isTrue();
        assertThat(rules(resolve(files, "/:w"))).containsExactly("/:w");
    }

    @Test
    void filesOfTheServerAreHiddenFromEveryManagedProfile() {
        files.files("/run/es/token", "/out/x");
        PolicyResolver resolver = new PolicyResolver(
                files,
                Optional::empty,
                new ServerPaths(List.of(LinuxPath.of("/run/es"), LinuxPath.of("/gone")), List.of(), List.of()));
        for (PermissionProfile profile : List.of(managed("/:r"), Profiles.unrestricted(NetworkPolicy.ENABLED))) {
            ResolvedPolicy policy = resolver.resolve(profile, directories());
            assertThat(rules(policy)).contains("/run/es:deny SERVER");
            assertAccess(policy, Access.DENY, "/run/es/token");
        }
        assertThatThrownBy(() -> resolver.resolve(managed("/:r /run/es/token:r"), directories()))
                .hasMessage(
                        "the profile names /run/es/token, which belongs to the server itself; no command may see it");
    }

    @Test
    void whatTheServerRunsFromIsReadOnlyWhereverItLies() {
        files.files("/ws/tools/dist/exec-server.jar", "/ws/tools/x");
        PolicyResolver resolver = new PolicyResolver(
                files, Optional::empty, new ServerPaths(List.of(), List.of(), List.of(LinuxPath.of("/ws/tools/dist"))));

        ResolvedPolicy workspace = resolver.resolve(managed("/:r ws:w"), directories());
        assertThat(rules(workspace)).contains("/ws/tools:w PINNED", "/ws/tools/dist:r INSTALLATION");
        assertThat(rules(resolver.resolve(managed("/:w"), directories())))
                .contains("/ws/tools:w PINNED", "/ws/tools/dist:r INSTALLATION");
        assertAccess(
                resolver.resolve(managed("/ws/tools:w"), directories()), Access.READ, "/ws/tools/dist/exec-server.jar");
        assertAccess(
                resolver.resolve(managed("/ws/x:w"), directories()), Access.DENY, "/ws/tools/dist/exec-server.jar");
        for (String profile : List.of("/:r /ws/tools/dist:w", "/:r /ws/tools/dist/exec-server.jar:w")) {
            assertThatThrownBy(() -> resolver.resolve(managed(profile), directories()))
                    .hasMessageEndingWith(
                            " writable, and the server runs from /ws/tools/dist; no command may change that");
        }
    }

    @Test
    void filesThatSayWhatTheServerAllowsAreReadOnlyWhereverTheyLie() {
        files.files("/ws/conf/floor.json", "/out/floor.json");
        PolicyResolver resolver = new PolicyResolver(
                files,
                Optional::empty,
                new ServerPaths(
                        List.of(),
                        List.of(LinuxPath.of("/ws/conf/floor.json"), LinuxPath.of("/out/floor.json")),
                        List.of()));
        ResolvedPolicy policy = resolver.resolve(managed("/:r ws:w"), directories());

        assertThat(rules(policy))
                .contains("/ws/conf:w PINNED", "/ws/conf/floor.json:r SERVER_SETTINGS")
                .noneMatch(rule -> rule.startsWith("/out"));
        assertAccess(resolver.resolve(managed("minimal:r ws:w"), directories()), Access.DENY, "/out/floor.json");
        assertAccess(
                resolver.resolve(managed("/:r ws:w /ws/conf/floor.json:deny"), directories()),
                Access.DENY,
                "/ws/conf/floor.json");
        assertThatThrownBy(() -> resolver.resolve(managed("/:r /ws/conf/floor.json:w"), directories()))
                .hasMessage("the profile makes /ws/conf/floor.json writable, which says what the server allows; "
                        + "no command may change it");
    }

    @Test
    void whatCannotBeToldIsRefusedWhereTheCommandCouldOpenIt() {
        files.closed("/ws/locked").closed("/root/locked");
        assertRefused(
                "/:r ws:w /ws/locked/f:deny",
                "cannot tell what /ws/locked/f is, which the profile names: statx /ws/locked/f: Permission denied (os error 13)");
        ResolvedPolicy policy = resolve(files, "/:r /root/locked/f:deny /root/locked/g:w");
        assertThat(rules(policy)).containsExactly("/:r");
        assertThat(policy.warnings())
                .containsExactly(
                        "the entry for /root/locked/g has no effect: statx /root/locked/g: Permission denied (os error 13)");
    }

    @Test
    void entriesWithoutEffectAreWarnedAbout() {
        ResolvedPolicy policy = resolve(files, "/:r /ws/**/*.env:r");
        assertThat(policy.warnings())
                .containsExactly(
                        "the entry for the glob `/ws/**/*.env` has no effect: a glob can only be denied, not \"read\"");
        assertThat(policy.fullRead()).isTrue();
    }

    @Test
    void tooManyRulesAreRefused() {
        StringBuilder entries = new StringBuilder("/:r");
        for (int i = 1; i <= Resolution.MAX_RULES; i++) {
            files.files("/many/f" + i);
            if (i < Resolution.MAX_RULES) {
                entries.append(" /many/f").append(i).append(":deny");
            }
        }
        assertThat(resolve(files, entries.toString()).rules()).hasSize(Resolution.MAX_RULES);
        assertRefused(
                entries + " /many/f" + Resolution.MAX_RULES + ":deny",
                "the profile needs 1001 rules for files and 1000 is the limit; name directories instead of the files in them");
    }

    private void assertRefused(String entries, String text) {
        assertThatThrownBy(() -> resolve(files, entries))
                .isInstanceOf(PolicyRefusedException.class)
                .hasMessage(text);
    }

    private static void assertAccess(ResolvedPolicy policy, Access access, String... paths) {
        for (String path : paths) {
            assertThat(policy.access(LinuxPath.of(path))).as(path).isEqualTo(access);
        }
    }
}
