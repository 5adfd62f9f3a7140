package dev.execserver.protocol.permissions;

import static dev.execserver.protocol.rpc.RecordRoundTrip.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.SandboxPolicy.ReadOnly;
import dev.execserver.protocol.permissions.SandboxPolicy.WorkspaceWrite;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SandboxPolicyTest {

    @ParameterizedTest
    @EnumSource(ProfileFormat.class)
    void everyFormComesBackFromEverySpelling(ProfileFormat spelling) {
        for (SandboxPolicy policy : Policies.legacy()) {
            String json = json(g -> policy.write(g, spelling));
            assertThat(read(json)).as(json).isEqualTo(policy);
        }
    }

    @Test
    void membersHaveDefaults() {
        assertThat(read("{'type':'workspace-write'}")).isEqualTo(new WorkspaceWrite(List.of(), false, false, false));
        assertThat(read("{'type':'readOnly'}")).isEqualTo(new ReadOnly(false));
        assertThat(read("{'type':'external-sandbox'}"))
                .isEqualTo(new SandboxPolicy.ExternalSandbox(NetworkPolicy.RESTRICTED));
        assertThat(read("{'type':'workspaceWrite','writableRoots':['file:///a%20b','/c%20d'],'excludeSlashTmp':true}"))
                .isEqualTo(new WorkspaceWrite(
                        List.of(PathUri.ofNative("/a b"), PathUri.ofNative("/c%20d")), false, false, true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':'readOnly','access':null}",
                "{'type':'readOnly','access':{'type':'fullAccess'}}",
                "{'type':'read-only','access':{'type':'full-access'}}"
            })
    void fullReadAccessIsTakenAndForgotten(String json) {
        SandboxPolicy policy = read(json);
        assertThat(policy).isEqualTo(new ReadOnly(false));
        assertThat(json(g -> policy.write(g, ProfileFormat.APP)))
                .isEqualTo("{\"type\":\"readOnly\",\"networkAccess\":false}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'type':'readOnly','access':{'type':'restricted','readableRoots':['/a']}}|read access `restricted` is no longer supported, expected `fullAccess`; name the readable paths in a permission profile at `access`",
                "{'type':'workspaceWrite','readOnlyAccess':{'type':'restricted'}}|read access `restricted` is no longer supported, expected `fullAccess`; name the readable paths in a permission profile at `readOnlyAccess`",
                "{'type':'readOnly','access':'fullAccess'}|invalid type: string \"fullAccess\", expected struct ReadOnlyAccess at `access`",
                "{'type':'read_write'}|unknown variant `read_write`, expected one of `danger-full-access`, `read-only`, `workspace-write`, `external-sandbox` at `type`",
                "{'network_access':true}|missing field `type`",
                "{'type':'read-only','network_access':'enabled'}|invalid value: \"enabled\", expected a boolean at `network_access`",
                "{'type':'externalSandbox','networkAccess':true}|invalid value: true, expected `restricted` or `enabled` at `networkAccess`",
                "{'type':'workspace-write','writable_roots':['/a','b']}|invalid URI: relative URL without a base at `writable_roots[1]`",
                "{'type':'workspace-write','exclude_slash_tmp':1}|invalid type: integer `1`, expected a boolean at `exclude_slash_tmp`"
            })
    void errorsNameTheMember(String json, String text) {
        assertThatThrownBy(() -> read(json)).hasMessage(text);
    }

    private static SandboxPolicy read(String json) {
        return SandboxPolicy.read(JsonSlice.of(json.replace('\'', '"')), Dialect.OPEN);
    }
}
