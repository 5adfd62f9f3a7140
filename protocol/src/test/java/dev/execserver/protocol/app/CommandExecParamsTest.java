package dev.execserver.protocol.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.permissions.FileSystemPolicy;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CommandExecParamsTest {

    private static CommandExecParams read(String json, Dialect dialect) {
        return CommandExecParams.read(JsonSlice.of(json.replace('\'', '"')), dialect);
    }

    @Test
    void nullRemovesAVariable() {
        assertThat(read("{'command':['x'],'env':{'A':'1','B':null}}", Dialect.STRICT)
                        .env())
                .isEqualTo(Map.of("A", Optional.of("1"), "B", Optional.empty()));
    }

    @Test
    void aProfileIsANameInTheNewestReleaseAndAnObjectToo() {
        String object = "{'command':['x'],'permissionProfile':{'type':'disabled'}}";

        assertThat(read(object, Dialect.OPEN).permissionProfile())
                .contains(new ProfileChoice.Given(PermissionProfile.DISABLED));
        assertThatThrownBy(() -> read(object, Dialect.STRICT)).hasMessage("invalid type: map, expected a string");
        assertThat(read("{'command':['x'],'permissionProfile':':workspace'}", Dialect.OPEN)
                        .permissionProfile())
                .contains(new ProfileChoice.Named(":workspace"));
    }

    @Test
    void restrictedReadsOfOldReleasesBecomeEntries() {
        String policy = "{'command':['x'],'sandboxPolicy':{'type':'workspaceWrite','readOnlyAccess':"
                + "{'type':'restricted','includePlatformDefaults':false,'readableRoots':['/data']}}}";
        PermissionProfile.Managed profile = (PermissionProfile.Managed)
                read(policy, Dialect.OPEN).sandboxPolicy().orElseThrow();

        assertThat(text(profile))
                .contains("file:///data")
                .doesNotContain("\"root\"")
                .doesNotContain("minimal");
        assertThat(profile.fileSystem()).isInstanceOf(FileSystemPolicy.Restricted.class);
        assertThatThrownBy(() -> read(policy, Dialect.STRICT))
                .hasMessage("workspaceWrite.readOnlyAccess is no longer supported; use permissionProfile for"
                        + " restricted reads");
    }

    @Test
    void valuesOfOtherTypesAreRefusedInTheWordsOfTheReferenceServer() {
        assertThatThrownBy(() -> read("{'command':['x'],'timeoutMs':'5'}", Dialect.OPEN))
                .hasMessage("invalid type: string \"5\", expected i64");
        assertThatThrownBy(() -> read("{'command':['x'],'env':{'A':5}}", Dialect.OPEN))
                .hasMessage("invalid type: integer `5`, expected a string");
        assertThatThrownBy(() -> read("{'command':['x'],'sandboxPolicy':'readOnly'}", Dialect.OPEN))
                .hasMessage("invalid type: string \"readOnly\", expected internally tagged enum"
                        + " SandboxPolicyDeserialize");
        assertThatThrownBy(() -> read("{'command':['x'],'size':{'rows':70000,'cols':1}}", Dialect.OPEN))
                .hasMessage("invalid value: integer `70000`, expected u16");
    }

    @Test
    void writtenParamsAreReadAgain() {
        CommandExecParams params = read(
                "{'command':['a','b'],'processId':'p','tty':true,'streamStdin':true,'streamStdoutStderr':true,"
                        + "'outputBytesCap':5,'disableTimeout':true,'cwd':'sub','env':{'A':null},"
                        + "'size':{'rows':3,'cols':4},'permissionProfile':':read-only'}",
                Dialect.OPEN);

        assertThat(CommandExecParams.read(JsonSlice.of(text(params)), Dialect.OPEN))
                .isEqualTo(params);
    }

    private static String text(dev.execserver.protocol.rpc.JsonWritable value) {
        MessageBuffer out = new MessageBuffer();
        MessageEncoder.value(out, value);
        return new String(out.toByteArray(), StandardCharsets.UTF_8);
    }
}
