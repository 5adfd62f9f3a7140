package dev.execserver.protocol.permissions;

import static dev.execserver.protocol.permissions.Policies.exact;
import static dev.execserver.protocol.permissions.Policies.glob;
import static dev.execserver.protocol.permissions.Policies.managed;
import static dev.execserver.protocol.permissions.Policies.special;
import static dev.execserver.protocol.rpc.RecordRoundTrip.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.PermissionProfile.External;
import dev.execserver.protocol.permissions.PermissionProfile.Managed;
import dev.execserver.protocol.permissions.SandboxPolicy.ExternalSandbox;
import dev.execserver.protocol.permissions.SandboxPolicy.WorkspaceWrite;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class PolicyConversionTest {
    private static final PathUri WS = PathUri.ofNative("/ws");
    private static final SpecialPath ROOT = new SpecialPath.Root();

    @Provide
    Arbitrary<PermissionProfile> profiles() {
        return Policies.profiles();
    }

    @Property(tries = 300)
    void everySpellingOfAProfileIsReadBack(
            @ForAll("profiles") PermissionProfile profile, @ForAll ProfileFormat spelling) {
        String json = json(g -> profile.write(g, spelling));
        assertThat(PermissionProfile.read(JsonSlice.of(json), Dialect.OPEN)).isEqualTo(profile);
    }

    @Property(tries = 300)
    void aProjectionThatNeedsNoDirectEnforcementSaysTheSame(@ForAll("profiles") PermissionProfile profile) {
        if (!PolicyConversion.needsDirectEnforcement(profile, WS)
                && profile instanceof Managed(var files, var network)) {
            PermissionProfile back = PolicyConversion.toProfile(PolicyConversion.toLegacy(profile, WS));
            assertThat(back.networkPolicy()).isEqualTo(network);
            if (back instanceof Managed(var projected, var _)) {
                assertThat(PolicyProperties.fullRead(projected)).isEqualTo(PolicyProperties.fullRead(files));
                assertThat(PolicyProperties.fullWrite(projected)).isEqualTo(PolicyProperties.fullWrite(files));
            } else {
                assertThat(PolicyProperties.fullWrite(files)).isTrue();
            }
        }
    }

    @Test
    void legacyPoliciesSurviveTheWayThereAndBack() {
        for (SandboxPolicy policy : Policies.legacy()) {
            PermissionProfile profile = PolicyConversion.toProfile(policy);
            assertThat(PolicyConversion.toLegacy(profile, WS)).isEqualTo(policy);
            assertThat(PolicyConversion.needsDirectEnforcement(profile, WS)).isFalse();
            assertThat(profile.networkPolicy()).isEqualTo(policy.networkPolicy());
        }
    }

    @Test
    void workspaceWriteBecomesTheEntriesOfTheRealClient() {
        PermissionProfile profile =
                PolicyConversion.toProfile(new WorkspaceWrite(List.of(PathUri.ofNative("/e")), false, false, false));
        assertThat(json(profile)).isEqualTo("""
                        {"type":"managed","file_system":{"type":"restricted","entries":[\
                        {"path":{"type":"special","value":{"kind":"root"}},"access":"read"},\
                        {"path":{"type":"special","value":{"kind":"project_roots"}},"access":"write"},\
                        {"path":{"type":"special","value":{"kind":"slash_tmp"}},"access":"write"},\
                        {"path":{"type":"special","value":{"kind":"tmpdir"}},"access":"write"},\
                        {"path":{"type":"path","path":"file:///e"},"access":"write"},\
                        {"path":{"type":"special","value":{"kind":"project_roots","subpath":".git"}},"access":"read","missing_path_behavior":"skip"},\
                        {"path":{"type":"special","value":{"kind":"project_roots","subpath":".agents"}},"access":"read","missing_path_behavior":"skip"},\
                        {"path":{"type":"special","value":{"kind":"project_roots","subpath":".codex"}},"access":"read","missing_path_behavior":"skip"},\
                        {"path":{"type":"special","value":{"kind":"project_roots","subpath":".aws"}},"access":"read","missing_path_behavior":"skip"}]},\
                        "network":"restricted"}""");
    }

    @Test
    void unrestrictedFilesWithoutNetworkLookExternalButStayManaged() {
        PermissionProfile profile = new Managed(FileSystemPolicy.UNRESTRICTED, NetworkPolicy.RESTRICTED);
        assertThat(PolicyConversion.toLegacy(profile, WS)).isEqualTo(new ExternalSandbox(NetworkPolicy.RESTRICTED));
        assertThat(PolicyConversion.toLegacy(new External(NetworkPolicy.RESTRICTED), WS))
                .isEqualTo(new ExternalSandbox(NetworkPolicy.RESTRICTED));
    }

    @Test
    void subpathsAndPathsBecomeWritableRoots() {
        PermissionProfile profile = managed(
                special(ROOT, Access.READ),
                exact("/ws", Access.WRITE),
                exact("/data", Access.WRITE),
                special(new SpecialPath.ProjectRoots(Optional.of("out")), Access.WRITE),
                special(new SpecialPath.SlashTmp(), Access.WRITE));
        assertThat(PolicyConversion.toLegacy(profile, WS))
                .isEqualTo(new WorkspaceWrite(
                        List.of(PathUri.ofNative("/data"), PathUri.ofNative("/ws/out")), false, true, false));
        assertThat(PolicyConversion.needsDirectEnforcement(profile, WS)).isFalse();
    }

    @Test
    void writesOutsideOfTheWorkspaceHaveNoLegacyForm() {
        for (Entry write : List.of(
                exact("/data", Access.WRITE),
                special(new SpecialPath.SlashTmp(), Access.WRITE),
                special(new SpecialPath.Tmpdir(), Access.WRITE))) {
            PermissionProfile profile = managed(special(ROOT, Access.READ), write);
            assertThatThrownBy(() -> PolicyConversion.toLegacy(profile, WS))
                    .hasMessageStartingWith(
                            "permissions profile requests filesystem writes outside the workspace root");
            assertThat(PolicyConversion.needsDirectEnforcement(profile, WS)).isTrue();
        }
        PermissionProfile narrowed = managed(
                special(ROOT, Access.WRITE), special(SpecialPath.WORKSPACE, Access.WRITE), exact("/a", Access.READ));
        assertThatThrownBy(() -> PolicyConversion.toLegacy(narrowed, WS)).isInstanceOf(RuntimeException.class);
    }

    @Test
    void whatTheProjectionDropsNeedsDirectEnforcement() {
        Entry all = special(ROOT, Access.READ);
        assertThat(PolicyConversion.needsDirectEnforcement(managed(all), WS)).isFalse();
        for (PermissionProfile profile : List.of(
                managed(),
                managed(special(new SpecialPath.Minimal(), Access.READ)),
                managed(all, exact("/secret", Access.DENY)),
                managed(all, glob("**/*.env", Access.DENY)),
                managed(all, special(SpecialPath.WORKSPACE, Access.WRITE), exact("/ws/ro", Access.READ)),
                managed(all, special(SpecialPath.WORKSPACE, Access.WRITE), exact("/ws/.git", Access.WRITE)))) {
            boolean reopened = json(profile).contains("/ws/.git");
            // A writable .git is a writable root of the legacy policy too.
            assertThat(PolicyConversion.needsDirectEnforcement(profile, WS)).isEqualTo(!reopened);
        }
    }
}
