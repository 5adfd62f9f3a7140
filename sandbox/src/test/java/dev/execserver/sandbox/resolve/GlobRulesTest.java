package dev.execserver.sandbox.resolve;

import static dev.execserver.sandbox.resolve.Profiles.directories;
import static dev.execserver.sandbox.resolve.Profiles.managed;
import static dev.execserver.sandbox.resolve.Profiles.resolve;
import static dev.execserver.sandbox.resolve.Profiles.rules;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.glob.GlobMasks;
import dev.execserver.sandbox.glob.GlobScan;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.MemoryFiles;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class GlobRulesTest {
    private final MemoryFiles files = new MemoryFiles().directory("/ws", "/out");

    @Test
    void matchesAreDenied() {
        files.files("/ws/a.env", "/ws/a.txt", "/ws/x/y/z.env", "/ws/d.env/f");
        ResolvedPolicy policy = resolve(files, "/:r ws:w /ws/**/*.env:deny");
        assertThat(rules(policy))
                .contains("/ws/a.env:deny GLOB", "/ws/x/y/z.env:deny GLOB", "/ws/d.env:deny GLOB")
                .doesNotContain("/ws/d.env/f:deny GLOB");
        assertThat(policy.access(LinuxPath.of("/ws/d.env/f"))).isEqualTo(Access.DENY);
        assertThat(policy.access(LinuxPath.of("/ws/a.txt"))).isEqualTo(Access.WRITE);
        assertThat(policy.fullRead()).isFalse();
        ResolvedPolicy shallow = resolve(files, managed("/:r ws:w /ws/**/*.env:deny", 1), directories());
        assertThat(rules(shallow)).contains("/ws/a.env:deny GLOB").doesNotContain("/ws/x/y/z.env:deny GLOB");
    }

    @Test
    void relativeGlobsStartAtTheDirectoryOfThePolicy() {
        files.files("/ws/a.env", "/home/u/k.key", "/out/p.pem");
        PolicyDirectories places = new PolicyDirectories(
                Optional.of(LinuxPath.of("/ws")),
                List.of(LinuxPath.of("/out")),
                Optional.empty(),
                Optional.of(LinuxPath.of("/home/u")));
        ResolvedPolicy policy =
                resolve(files, managed("/:r *.env:deny ~/*.key:deny codex-project-roots://*.pem:deny"), places);
        assertThat(rules(policy))
                .containsExactly("/:r", "/out/p.pem:deny GLOB", "/ws/a.env:deny GLOB", "/home/u/k.key:deny GLOB");
        PolicyDirectories nowhere =
                new PolicyDirectories(Optional.empty(), List.of(), Optional.empty(), Optional.empty());
        assertThatThrownBy(() -> resolve(files, managed("/:r *.env:deny"), nowhere))
                .hasMessage("the glob `*.env` starts at the directory of the policy (`cwd`), which is not known");
        assertThatThrownBy(() -> resolve(files, managed("/:r ~/*.key:deny"), nowhere))
                .hasMessage("the glob `~/*.key` starts at the user's home directory, which is not known");
    }

    @Test
    void aMatchingLinkHidesItsTarget() {
        files.files("/out/secret").link("/out/l.key", "secret");
        assertThat(rules(resolve(files, "/:r /out/*.key:deny"))).containsExactly("/:r", "/out/secret:deny GLOB");
    }

    @Test
    void aMatchingLinkThatTheCommandCanChangeIsRefused() {
        files.files("/out/secret").link("/ws/l.key", "/out/secret");
        assertThatThrownBy(() -> resolve(files, "/:r ws:w /ws/*.key:deny"))
                .hasMessage(
                        "cannot enforce the unreadable glob `/ws/*.key` for /ws/l.key because it crosses writable symlink"
                                + " /ws/l.key; deny what the link leads to, /out/secret, by path as well, or remove the"
                                + " link");
    }

    @Test
    @DisplayName(
            "C56: a matching link hides nothing alone where its target is denied by path, matches itself or is missing")
    void c56_aMatchingLinkWhoseTargetIsDeniedAnywayIsNoObstacle() {
        files.files("/out/secret", "/ws/a.key").link("/ws/l.key", "/out/secret");
        assertThat(rules(resolve(files, "/:r ws:w /ws/*.key:deny /out/secret:deny")))
                .contains("/out/secret:deny", "/ws/a.key:deny GLOB")
                .noneMatch(rule -> rule.contains("l.key"));
        files.link("/ws/l.key", "a.key");
        assertThat(rules(resolve(files, "/:r ws:w /ws/*.key:deny"))).contains("/ws/a.key:deny GLOB");
        files.files("/ws/d.key/f").link("/ws/l.key", "d.key/f");
        assertThat(rules(resolve(files, "/:r ws:w /ws/*.key:deny"))).contains("/ws/d.key:deny GLOB");
        files.link("/ws/l.key", "gone");
        assertThat(rules(resolve(files, "/:r ws:w /ws/*.key:deny"))).contains("/ws/a.key:deny GLOB");
    }

    @Test
    void aLinkOnTheWayToASearchThatTheCommandCanChangeIsRefused() {
        files.files("/out/d/a.key").link("/ws/l", "/out/d");
        assertThatThrownBy(() -> resolve(files, "/:r ws:w /ws/l/*.key:deny"))
                .hasMessageEndingWith(
                        "crosses writable symlink /ws/l; write the glob with the path that it leads to, /out/d");
    }

    @Test
    void aMatchingLinkToTheWorkspaceIsRefused() {
        files.link("/out/l.key", "/");
        assertThatThrownBy(() -> resolve(files, "/:r ws:r /out/*.key:deny"))
                .hasMessageContaining("matches the link /out/l.key to /, which holds");
    }

    @Test
    void processesAreNotSearched() {
        files.files("/proc/7/environ", "/proc/cpuinfo").link("/proc/self", "7").link("/out/p", "/proc/self");
        for (String glob : List.of("/proc/**", "/proc/*/environ", "/proc/self/*", "/out/p/env*")) {
            assertThatThrownBy(() -> resolve(files, "/:r " + glob + ":deny"))
                    .hasMessage("the unreadable glob `" + glob + "` is about /proc, and a sandbox has one with other"
                            + " processes; deny /proc by path");
        }
        assertThat(rules(resolve(files, "/:r /proc/cpuinfo:deny"))).contains("/proc/cpuinfo:deny");
    }

    @Test
    void aMatchingLinkThatLeadsEachProcessToItselfHidesNothing() {
        files.files("/proc/7/fd/0", "/dev/sda").link("/proc/self", "7").link("/dev/fd", "/proc/self/fd");
        assertThat(rules(resolve(files, "/:r /dev/**:deny"))).containsExactly("/:r", "/dev/sda:deny GLOB");
    }

    @Test
    void aSearchThatStartsNowhereFindsNothing() {
        assertThat(rules(resolve(files, "/:r /none/*.key:deny /out/f/*.key:deny")))
                .containsExactly("/:r");
    }

    @Test
    void anEntryBelowAMatchingDirectoryStaysVisible() {
        files.files("/out/d.key/pub/f");
        ResolvedPolicy policy = resolve(files, "/:r /out/*.key:deny /out/d.key/pub:r");
        assertThat(policy.access(LinuxPath.of("/out/d.key/pub/f"))).isEqualTo(Access.READ);
        assertThat(policy.access(LinuxPath.of("/out/d.key/x"))).isEqualTo(Access.DENY);
    }

    @Test
    @DisplayName("B37: of 3,500 matches, directories that hold nothing else are hidden as a whole")
    void b37_fullDirectoriesAreFolded() {
        for (int i = 0; i < 3500; i++) {
            files.files("/ws/keys/" + i % 7 + "/k" + i + ".key");
        }
        files.files("/ws/top.key", "/ws/a.txt");
        ResolvedPolicy policy = resolve(files, "/:r ws:w /ws/**/*.key:deny");
        assertThat(policy.rules()).hasSizeLessThan(GlobMasks.MAX_MASKS + 20);
        assertThat(rules(policy)).contains("/ws/top.key:deny GLOB");
        for (int i = 0; i < 3500; i++) {
            assertThat(policy.access(LinuxPath.of("/ws/keys/" + i % 7 + "/k" + i + ".key")))
                    .isEqualTo(Access.DENY);
        }
        assertThat(policy.access(LinuxPath.of("/ws/a.txt"))).isEqualTo(Access.WRITE);
    }

    @Test
    @DisplayName("B37: where other files lie beside them, 3,500 matches are refused with glob, count and limit")
    void b37_tooManyMasksAreRefused() {
        for (int i = 0; i < 3500; i++) {
            files.files("/ws/keys/k" + i + ".key");
        }
        files.files("/ws/keys/other");
        assertThatThrownBy(() -> resolve(files, "/:r ws:w /ws/**/*.key:deny"))
                .isInstanceOf(PolicyRefusedException.class)
                .hasMessage(
                        "the unreadable glob `/ws/**/*.key` matches 3500 files; hiding what the globs of the profile match"
                                + " takes 3500 masks and 500 is the limit: deny the directories that hold the files by path, keep the"
                                + " files in directories of their own, or set glob_scan_max_depth");
    }

    @Test
    void aDirectoryThatIsNeededIsNotFolded() {
        for (int i = 0; i <= GlobMasks.MAX_MASKS; i++) {
            files.files("/ws/k" + i + ".key");
        }
        assertThatThrownBy(() -> resolve(files, "/:r ws:w /ws/**/*.key:deny"))
                .hasMessageContaining("takes 501 masks and 500 is the limit");
        // From outside, the directory may be hidden, because nothing in it is needed.
        assertThat(rules(resolve(files, managed("/:r /ws/*.key:deny"), elsewhere())))
                .containsExactly("/:r", "/ws:deny GLOB");
    }

    @Test
    void asManyMasksAsTheLimitAreNotFolded() {
        for (int i = 0; i < GlobMasks.MAX_MASKS; i++) {
            files.files("/ws/keys/k" + i + ".key");
        }
        assertThat(resolve(files, "/:r ws:w /ws/**/*.key:deny").rules().stream()
                        .filter(rule -> rule.origin() == Rule.Origin.GLOB))
                .hasSize(GlobMasks.MAX_MASKS);
    }

    @Test
    void searchesAreBounded() {
        for (int i = 0; i <= GlobScan.MAX_MATCHES; i++) {
            files.files("/ws/keys/k" + i);
        }
        assertThatThrownBy(() -> resolve(files, "/:r ws:w /ws/keys/*:deny"))
                .hasMessage(
                        "the unreadable glob `/ws/keys/*` matches more than 8192 files; deny the directories that hold"
                                + " them by path, or set glob_scan_max_depth");
    }

    private static PolicyDirectories elsewhere() {
        return new PolicyDirectories(Optional.of(LinuxPath.of("/out")), List.of(), Optional.empty(), Optional.empty());
    }
}
