package dev.execserver.protocol.permissions;

import static dev.execserver.protocol.permissions.Policies.exact;
import static dev.execserver.protocol.permissions.Policies.special;
import static dev.execserver.protocol.rpc.RecordRoundTrip.assertInvalid;
import static dev.execserver.protocol.rpc.RecordRoundTrip.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.PermissionProfile.External;
import dev.execserver.protocol.permissions.PermissionProfile.Managed;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import java.util.List;
import org.junit.jupiter.api.Test;

class SandboxContextTest {
    private static final PathUri WS = PathUri.ofNative("/ws");
    private static final String REAL = """
            {"permissions":{"type":"managed","file_system":{"type":"restricted","entries":[
             {"path":{"type":"special","value":{"kind":"root"}},"access":"read"},
             {"path":{"type":"special","value":{"kind":"project_roots"}},"access":"write"},
             {"path":{"type":"special","value":{"kind":"slash_tmp"}},"access":"write"},
             {"path":{"type":"special","value":{"kind":"tmpdir"}},"access":"write"},
             {"path":{"type":"special","value":{"kind":"project_roots","subpath":".git"}},"access":"read","missing_path_behavior":"skip"},
             {"path":{"type":"special","value":{"kind":"project_roots","subpath":".agents"}},"access":"read","missing_path_behavior":"skip"},
             {"path":{"type":"special","value":{"kind":"project_roots","subpath":".codex"}},"access":"read","missing_path_behavior":"skip"},
             {"path":{"type":"special","value":{"kind":"project_roots","subpath":".aws"}},"access":"read","missing_path_behavior":"skip"}]},
             "network":"restricted"},
             "cwd":"file:///ws","workspaceRoots":["file:///ws"],"windowsSandboxLevel":"disabled",
             "windowsSandboxProxySettingsMode":"reconcile","useLegacyLandlock":false}""";

    @Test
    void theContextOfTheRealClientIsItsWorkspaceWritePolicy() {
        for (Dialect dialect : Dialect.values()) {
            SandboxContext context = SandboxContext.read(JsonSlice.of(REAL), dialect);
            assertThat(context)
                    .isEqualTo(SandboxContext.of(
                            PolicyConversion.toProfile(
                                    new SandboxPolicy.WorkspaceWrite(List.of(), false, false, false)),
                            WS));
            assertThat(SandboxContext.read(JsonSlice.of(json(context)), Dialect.STRICT))
                    .isEqualTo(context);
        }
    }

    @Test
    void requiredMembersAreAskedForInTheWordsOfTheReference() {
        assertInvalid("{\"windowsSandboxLevel\":\"disabled\"}", SandboxContext::read, "missing field `permissions`");
        assertInvalid(
                "{\"permissions\":{\"type\":\"disabled\"}}",
                Dialect.STRICT,
                SandboxContext::read,
                "missing field `windowsSandboxLevel`");
        assertThat(open("{'permissions':{'type':'disabled'}}").permissions()).isEqualTo(PermissionProfile.DISABLED);
    }

    @Test
    void errorsNameTheMember() {
        assertThatThrownBy(() -> open("{'permissions':{'type':'external','network':'on'}}"))
                .hasMessage("unknown variant `on`, expected `restricted` or `enabled` at `permissions.network`");
        assertThatThrownBy(() -> open("{'permissions':{'type':'disabled'},'workspaceRoots':['/a','b']}"))
                .hasMessage("invalid URI: relative URL without a base at `workspaceRoots[1]`");
        assertThatThrownBy(() -> open("{'permissions':{'type':'disabled'},'windowsSandboxLevel':'max'}"))
                .hasMessage("unknown variant `max`, expected one of `disabled`, `restricted-token`, `elevated`, `mxc`"
                        + " at `windowsSandboxLevel`");
        assertThatThrownBy(() -> open("{'permissions':{'type':'disabled'},'cwd':'file://host/x'}"))
                .hasMessageStartingWith("cwd URI `file://host/x` is not valid on this exec-server host")
                .hasMessageEndingWith(" at `cwd`");
    }

    @Test
    void thePolicyContextCountsWhereItIsThere() {
        SandboxContext context = open("{'permissions':{'type':'disabled'},'cwd':'/a','workspaceRoots':['/a'],"
                + "'policyContext':{'cwd':'/b','workspaceRoots':[]}}");
        assertThat(context.cwd()).contains(PathUri.ofNative("/b"));
        assertThat(context.workspaceRoots()).isEmpty();
        assertThat(open("{'permissions':{'type':'disabled'},'workspaceRoots':['/a'],'policyContext':null}")
                        .workspaceRoots())
                .containsExactly(PathUri.ofNative("/a"));
    }

    @Test
    void theFirstReleasesSentALegacyPolicy() {
        SandboxContext context = open("{'sandboxPolicy':{'type':'workspace-write','writable_roots':['/e']},"
                + "'sandboxPolicyCwd':'/ws','windowsSandboxLevel':'disabled','useLegacyLandlock':true}");
        assertThat(context.permissions())
                .isEqualTo(PolicyConversion.toProfile(
                        new SandboxPolicy.WorkspaceWrite(List.of(PathUri.ofNative("/e")), false, false, false)));
        assertThat(context.cwd()).contains(WS);
        assertThat(context.workspaceRoots()).containsExactly(WS);
        assertThat(context.useLegacyLandlock()).isTrue();
        assertInvalid(
                "{\"sandboxPolicy\":{\"type\":\"read-only\"},\"windowsSandboxLevel\":\"disabled\"}",
                Dialect.STRICT,
                SandboxContext::read,
                "missing field `permissions`");
    }

    @Test
    void theFinerPolicyForFilesCountsOverTheLegacyOne() {
        String legacy = "'sandboxPolicy':{'type':'read-only','network_access':true},";
        assertThat(open("{" + legacy + "'fileSystemSandboxPolicy':{'kind':'restricted','entries':["
                                + "{'path':{'type':'path','path':'/a'},'access':'none'}]}}")
                        .permissions())
                .isEqualTo(new Managed(FileSystemPolicy.restricted(exact("/a", Access.DENY)), NetworkPolicy.ENABLED));
        assertThat(open("{" + legacy + "'fileSystemSandboxPolicy':{'kind':'external-sandbox'}}")
                        .permissions())
                .isEqualTo(new External(NetworkPolicy.ENABLED));
        assertThatThrownBy(() -> open("{" + legacy + "'fileSystemSandboxPolicy':{'kind':'x'}}"))
                .hasMessage("unknown variant `x`, expected one of `restricted`, `unrestricted`, `external-sandbox`"
                        + " at `fileSystemSandboxPolicy.kind`");
    }

    @Test
    void additionalPermissionsAreApplied() {
        SandboxContext context = open("{'sandboxPolicy':{'type':'read-only'},'additionalPermissions':"
                + "{'network':{'enabled':true},'file_system':{'read':[],'write':['/b']}}}");
        assertThat(context.permissions())
                .isEqualTo(new Managed(
                        FileSystemPolicy.restricted(
                                special(new SpecialPath.Root(), Access.READ), exact("/b", Access.WRITE)),
                        NetworkPolicy.ENABLED));
    }

    private static SandboxContext open(String json) {
        return SandboxContext.read(JsonSlice.of(json.replace('\'', '"')), Dialect.OPEN);
    }
}
