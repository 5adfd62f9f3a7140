package dev.execserver.server.sandbox.toml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.net.DomainRule;
import dev.execserver.protocol.net.NetworkProxySettings;
import dev.execserver.protocol.net.ProxyMode;
import dev.execserver.protocol.permissions.FileSystemPolicy;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.PolicyPath;
import dev.execserver.protocol.permissions.SpecialPath;
import dev.execserver.protocol.rpc.RpcException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Profiles of a {@code config.toml}: what they become, and where their faults are. */
class TomlProfilesTest {

    private static List<TomlProfile> read(String text) {
        return TomlProfiles.read(text, Optional.of("/home/me"), _ -> {});
    }

    private static List<String> entries(TomlProfile profile) {
        PermissionProfile.Managed managed = (PermissionProfile.Managed) profile.permissions();
        return ((FileSystemPolicy.Restricted) managed.fileSystem())
                .entries().stream()
                        .map(entry -> entry.access().wire() + " " + shown(entry.path()))
                        .toList();
    }

    private static String shown(PolicyPath path) {
        return switch (path) {
            case PolicyPath.Exact exact -> exact.path().display();
            case PolicyPath.Glob(String pattern) -> "glob " + pattern;
            case PolicyPath.Special(SpecialPath.ProjectRoots(Optional<String> below)) ->
                "roots" + below.map(name -> "/" + name).orElse("");
            case PolicyPath.Special(SpecialPath special) -> special.getClass().getSimpleName();
        };
    }

    @Test
    void everyKindOfPathBecomesAnEntry() {
        TomlProfile profile = read("""
                        model = "other settings are ignored"
                        [permissions.ci]
                        description = "for the build"
                        [permissions.ci.filesystem]
                        glob_scan_max_depth = 3
                        ":minimal" = "read"
                        ":tmpdir" = "write"
                        "~/.cache" = "write"
                        "/opt/tools/**" = "read"
                        "/srv/**/*.key" = "deny"
                        [permissions.ci.filesystem.":workspace_roots"]
                        "." = "write"
                        "docs" = "read"
                        "**/*.env" = "none"
                        [permissions.ci.filesystem."/data"]
                        "in" = "read"
                        """).getFirst();

        assertThat(profile.id()).isEqualTo("ci");
        assertThat(profile.description()).contains("for the build");
        assertThat(entries(profile))
                .containsExactlyInAnyOrder(
                        "read Minimal",
                        "write Tmpdir",
                        "write /home/me/.cache",
                        "read /opt/tools",
                        "deny glob /srv/**/*.key",
                        "write roots",
                        "read roots/docs",
                        "deny glob codex-project-roots://**/*.env",
                        "read /data/in");
        assertThat(profile.permissions().networkPolicy().enabled()).isFalse();
        assertThat(profile.proxy()).isEmpty();
    }

    @Test
    void moreWorkspaceRootsGetTheSameRules() {
        TomlProfile profile = read("""
                        [permissions.two.workspace_roots]
                        "/srv/[a]" = true
                        "/srv/unused" = false
                        [permissions.two.filesystem.":workspace_roots"]
                        "." = "write"
                        "*.env" = "deny"
                        """).getFirst();

        assertThat(entries(profile))
                .containsExactlyInAnyOrder(
                        "write roots",
                        "write /srv/[a]",
                        "deny glob codex-project-roots://*.env",
                        "deny glob /srv/\\[a\\]/*.env");
    }

    @Test
    void aProfileInheritsWhatItDoesNotSay() {
        List<TomlProfile> profiles = read("""
                [permissions.base]
                extends = ":workspace"
                [permissions.base.network]
                enabled = true
                [permissions.base.network.domains]
                "a.example" = "allow"
                "b.example" = "allow"
                [permissions.heir]
                extends = "base"
                [permissions.heir.filesystem]
                ":slash_tmp" = "read"
                [permissions.heir.filesystem.":workspace_roots"]
                "secret" = "deny"
                [permissions.heir.network.domains]
                "b.example" = "deny"
                """);
        TomlProfile heir = profiles.get(1);

        assertThat(entries(heir))
                .contains("read Root", "read SlashTmp", "write Tmpdir", "write roots", "deny roots/secret")
                .doesNotContain("write SlashTmp");
        assertThat(heir.proxy().orElseThrow().domains())
                .containsEntry("a.example", DomainRule.ALLOW)
                .containsEntry("b.example", DomainRule.DENY);
    }

    @Test
    void anyRuleForTheNetworkMakesAProxy() {
        assertThat(read("[permissions.x.network]\nenabled = true").getFirst().proxy())
                .isEmpty();
        assertThat(read("[features]\nnetwork_proxy = true\n[permissions.x.network]\nenabled = true")
                        .getFirst()
                        .proxy())
                .isPresent();
        assertThat(read("[permissions.x.network]\nenabled = false\nmode = \"limited\"")
                        .getFirst()
                        .proxy())
                .isEmpty();
        NetworkProxySettings settings = read("""
                        [permissions.x.network]
                        enabled = true
                        mode = "limited"
                        enable_socks5 = false
                        [permissions.x.network.unix_sockets]
                        "/run/a.sock" = "allow"
                        "/run/b.sock" = "none"
                        """).getFirst().proxy().orElseThrow();
        assertThat(settings.mode()).isEqualTo(ProxyMode.LIMITED);
        assertThat(settings.enableSocks5()).isFalse();
        assertThat(settings.allowedUnixSockets()).containsExactly("/run/a.sock");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            [permissions.x\\nbroken                              | line 1, column 15:
            [permissions.x]\\nextend = ":workspace"              | line 2, column 1: `config.permissions.x` has an unknown key `extend`
            [permissions.x]\\nextends = "y"                      | line 2, column 1: there is no profile `y` to extend
            [permissions.x]\\nextends = "x"                      | line 2, column 1: the profile inherits itself: x, x
            [permissions.x]\\nextends = ":danger-full-access"    | line 2, column 1: there is no profile `:danger-full-access`
            [permissions.x.filesystem]\\n":root" = "reed"        | line 2, column 1: unknown variant `reed`
            [permissions.x.filesystem]\\n":rot" = "read"         | line 2, column 1: there is no special path `:rot`
            [permissions.x.filesystem]\\n"a" = "read"            | line 2, column 1: `a` must be absolute
            [permissions.x.filesystem]\\n"/a/*.c" = "read"       | line 2, column 1: the glob `/a/*.c` can only be denied
            [permissions.x.filesystem]\\n":root" = true          | line 2, column 1: `config.permissions.x.filesystem.:root` must be a string
            [permissions.x.filesystem."/a"]\\n"../b" = "read"    | line 2, column 1: `../b` must be a relative path
            [permissions.x.filesystem.":root"]\\n"b" = "read"    | line 2, column 1: there are no paths below `:root`
            [permissions.x.filesystem]\\nglob_scan_max_depth = 0 | line 2, column 1: `glob_scan_max_depth` must be at least 1
            [permissions.x.network]\\nmitm = true                | line 2, column 1: `config.permissions.x.network` has an unknown key `mitm`
            [permissions.":x"]\\ndescription = ""                | line 1, column 1: the name `:x` of a profile
            """)
    void aFaultIsToldWithItsPlace(String text, String message) {
        assertThatThrownBy(() -> read(text.replace("\\n", "\n")))
                .isInstanceOf(TomlFaultException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void rulesThatNoProxyCanHaveAreFaultsToo() {
        assertThatThrownBy(() -> TomlProfiles.read(
                        "[permissions.x]\n[permissions.x.network]\nenabled = true\nmode = \"full\"",
                        Optional.empty(),
                        _ -> {
                            throw RpcException.invalidParams("not possible");
                        }))
                .hasMessage("line 2, column 1: not possible");
    }
}
