package dev.execserver.protocol.permissions;

import static dev.execserver.protocol.permissions.Policies.exact;
import static dev.execserver.protocol.permissions.Policies.glob;
import static dev.execserver.protocol.permissions.Policies.managed;
import static dev.execserver.protocol.permissions.Policies.special;
import static dev.execserver.protocol.rpc.RecordRoundTrip.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.permissions.FileSystemPolicy.Restricted;
import dev.execserver.protocol.permissions.PermissionProfile.External;
import dev.execserver.protocol.permissions.PermissionProfile.Managed;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.RpcException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PermissionProfileTest {
    private static final String CORE = """
            {"type":"managed","file_system":{"type":"restricted","entries":[\
            {"path":{"type":"special","value":{"kind":"root"}},"access":"read"},\
            {"path":{"type":"special","value":{"kind":"project_roots","subpath":".git"}},"access":"read","missing_path_behavior":"skip"},\
            {"path":{"type":"path","path":"file:///srv/data"},"access":"write"},\
            {"path":{"type":"glob_pattern","pattern":"**/*.env"},"access":"deny"},\
            {"path":{"type":"special","value":{"kind":"unknown","path":":future","subpath":"x"}},"access":"read"}],\
            "glob_scan_max_depth":3},"network":"restricted"}""";

    private static final PermissionProfile VALUE = new Managed(
            new Restricted(
                    List.of(
                            special(new SpecialPath.Root(), Access.READ),
                            new Entry(
                                    new PolicyPath.Special(new SpecialPath.ProjectRoots(Optional.of(".git"))),
                                    Access.READ,
                                    true),
                            exact("/srv/data", Access.WRITE),
                            glob("**/*.env", Access.DENY),
                            special(new SpecialPath.Unknown(":future", Optional.of("x")), Access.READ)),
                    OptionalInt.of(3)),
            NetworkPolicy.RESTRICTED);

    @ParameterizedTest
    @ValueSource(strings = {"STRICT", "OPEN"})
    void theCoreSpellingComesBackAsItWas(Dialect dialect) {
        PermissionProfile profile = PermissionProfile.read(JsonSlice.of(CORE), dialect);
        assertThat(profile).isEqualTo(VALUE);
        assertThat(json(profile)).isEqualTo(CORE);
    }

    @Test
    void theApplicationSpellingMeansTheSame() {
        String app = json(g -> VALUE.write(g, ProfileFormat.APP));
        assertThat(app)
                .contains("\"fileSystem\"", "\"globScanMaxDepth\":3", "\"missingPathBehavior\":\"skip\"")
                .contains("\"path\":\"/srv/data\"", "\"network\":{\"enabled\":false}");
        assertThat(read(app)).isEqualTo(VALUE);
        assertThat(read(app.replace("glob_pattern", "globPattern").replace("project_roots", "projectRoots")))
                .isEqualTo(VALUE);
    }

    @Test
    void filesAndArgumentsHaveNativePaths() {
        String core = json(g -> VALUE.write(g, ProfileFormat.CORE));
        assertThat(core).isEqualTo(CORE.replace("file:///srv", "/srv"));
        assertThat(read(core)).isEqualTo(VALUE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'type':'disabled'}|disabled",
                "{'type':'external','network':'enabled'}|enabled",
                "{'type':'external','network':{'enabled':true}}|enabled",
                "{'network':'restricted','type':'external'}|restricted"
            },
            quoteCharacter = '`')
    void profilesWithoutFilesAreRead(String json, String expected) {
        PermissionProfile profile = read(json);
        assertThat(profile)
                .isEqualTo(
                        expected.equals("disabled")
                                ? PermissionProfile.DISABLED
                                : new External(NetworkPolicy.valueOf(expected.toUpperCase(java.util.Locale.ROOT))));
        assertThat(read(json(profile))).isEqualTo(profile);
    }

    @Test
    void unrestrictedFilesKeepTheirNetwork() {
        PermissionProfile profile =
                read("{'type':'managed','file_system':{'type':'unrestricted'},'network':'restricted'}");
        assertThat(profile).isEqualTo(new Managed(FileSystemPolicy.UNRESTRICTED, NetworkPolicy.RESTRICTED));
        assertThat(read(json(profile))).isEqualTo(profile);
    }

    @Test
    void theOldShapeWithoutATypeIsManaged() {
        assertThat(read("{'network':{'enabled':true},'file_system':null}"))
                .isEqualTo(new Managed(FileSystemPolicy.restricted(), NetworkPolicy.ENABLED));
        assertThat(read("{'network':null,'file_system':{'read':['/a'],'write':['/b']}}"))
                .isEqualTo(managed(exact("/a", Access.READ), exact("/b", Access.WRITE)));
        assertThat(read("{'file_system':{'entries':[{'path':{'type':'path','path':'/a'},'access':'none'}]}}"))
                .isEqualTo(managed(exact("/a", Access.DENY)));
    }

    @Test
    void oldNamesAreReadAndNotWritten() {
        PermissionProfile profile = read(
                "{'type':'managed','network':'restricted','file_system':{'type':'restricted','entries':[{'access':'none','path':"
                        + "{'value':{'kind':'current_working_directory'},'type':'special'}}]}}");
        assertThat(profile).isEqualTo(managed(special(SpecialPath.WORKSPACE, Access.DENY)));
        assertThat(json(profile)).contains("\"access\":\"deny\"", "{\"kind\":\"project_roots\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'type':'open'}|type|unknown variant `open`, expected one of `managed`, `disabled`, `external`",
                "{}||missing field `type`",
                "5||invalid type: integer `5`, expected struct PermissionProfile",
                "{'type':'managed','network':'restricted'}||missing field `file_system`",
                "{'type':'managed','file_system':{'type':'unrestricted'}}||missing field `network`",
                "{'type':'external','network':'on'}|network|unknown variant `on`, expected `restricted` or `enabled`",
                "{'type':'external','network':{}}|network|missing field `enabled`",
                "{'type':'managed','file_system':{},'network':'restricted'}|file_system|missing field `type`",
                "{'type':'managed','file_system':{'type':'x'},'network':'restricted'}|file_system.type|unknown variant `x`, expected `restricted` or `unrestricted`",
                "{'type':'managed','fileSystem':{'type':'restricted'},'network':'restricted'}|fileSystem|missing field `entries`",
                "{'type':'managed','file_system':{'type':'unrestricted'},'fileSystem':{'type':'unrestricted'},'network':'restricted'}||duplicate field `fileSystem`"
            })
    void errorsNameTheMemberOfTheProfile(String json, String member, String text) {
        assertRefused(json, member, text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'path':{'type':'path','path':'/a'},'access':'rw'}|.access|unknown variant `rw`, expected one of `read`, `write`, `deny`",
                "{'path':{'type':'path','path':'/a'}}||missing field `access`",
                "{'access':'read'}||missing field `path`",
                "{'path':{'type':'path'},'access':'read'}|.path|missing field `path`",
                "{'path':{'type':'path','path':'a/b'},'access':'read'}|.path.path|invalid URI: relative URL without a base",
                "{'path':{'type':'path','path':7},'access':'read'}|.path.path|invalid type: integer `7`, expected a string",
                "{'path':{'type':'file','path':'/a'},'access':'read'}|.path.type|unknown variant `file`, expected one of `path`, `glob_pattern`, `special`",
                "{'path':{'type':'glob_pattern'},'access':'deny'}|.path|missing field `pattern`",
                "{'path':{'type':'special','value':{'kind':'home'}},'access':'read'}|.path.value.kind|unknown variant `home`, expected one of `root`, `minimal`, `project_roots`, `current_working_directory`, `tmpdir`, `slash_tmp`, `unknown`",
                "{'path':{'type':'special','value':{'kind':'unknown'}},'access':'read'}|.path.value|missing field `path`",
                "{'path':{'type':'special','value':{'kind':'project_roots','subpath':'a/../../b'}},'access':'read'}|.path.value.subpath|invalid value: string \"a/../../b\", expected a relative path without `..`",
                "{'path':{'type':'special','value':{'kind':'project_roots','subpath':'/etc'}},'access':'read'}|.path.value.subpath|invalid value: string \"/etc\", expected a relative path without `..`",
                "{'path':{'type':'path','path':'/a'},'access':'read','missing_path_behavior':'create'}|.missing_path_behavior|unknown variant `create`, expected `skip`"
            })
    void errorsNameTheMemberOfTheEntry(String entry, String member, String text) {
        String good = "{'path':{'type':'path','path':'/a'},'access':'read'}";
        assertRefused(
                "{'type':'managed','network':'restricted','file_system':{'type':'restricted','entries':[" + good + ","
                        + entry + "]}}",
                "file_system.entries[1]" + (member == null ? "" : member),
                text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "0|invalid value: integer `0`, expected a nonzero usize",
                "-1|invalid value: integer `-1`, expected usize",
                "'a'|invalid type: string \"a\", expected usize"
            })
    void theDepthIsAtLeastOne(String depth, String text) {
        String profile =
                "{'type':'managed','network':'restricted','file_system':{'type':'restricted','entries':[],'glob_scan_max_depth':%s}}";
        assertRefused(profile.formatted(depth), "file_system.glob_scan_max_depth", text);
        assertThat(read(profile.formatted("1")))
                .isEqualTo(new Managed(new Restricted(List.of(), OptionalInt.of(1)), NetworkPolicy.RESTRICTED));
        assertThat(read(profile.formatted("null"))).isEqualTo(managed());
    }

    @Test
    void aNativePathIsNoUriInTheStrictDialect() {
        String json = "{'type':'managed','network':'restricted','file_system':{'type':'restricted','entries':["
                + "{'path':{'type':'path','path':'/a'},'access':'read'}]}}";
        assertThatThrownBy(() -> PermissionProfile.read(JsonSlice.of(json.replace('\'', '"')), Dialect.STRICT))
                .hasMessage("invalid URI: relative URL without a base at `file_system.entries[0].path.path`");
    }

    private static PermissionProfile read(String json) {
        return PermissionProfile.read(JsonSlice.of(json.replace('\'', '"')), Dialect.OPEN);
    }

    private static void assertRefused(String json, String member, String text) {
        assertThatThrownBy(() -> read(json)).isInstanceOfSatisfying(RpcException.class, e -> {
            assertThat(e.message()).isEqualTo(text + (member == null ? "" : " at `" + member + "`"));
            assertThat(e.data().map(data -> data.members().get("member"))).isEqualTo(Optional.ofNullable(member));
        });
    }
}
