package dev.execserver.protocol.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.RpcException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Params of {@code command/exec}, member by member, as the schema of April 2026 has them: each takes values of its kinds, null
 * where that is one of them, and nothing else.
 */
class CommandExecSchemaTest {

    private static CommandExecParams read(String member, String value) {
        String command = member.equals("command") ? "" : "'command':['x'],";
        return CommandExecParams.read(
                JsonSlice.of(("{" + command + "'" + member + "':" + value + "}").replace('\'', '"')), Dialect.OPEN);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "command; ['x','y']; null | 'x' | [1]",
                "cwd; null | '/x' | 'x'; 1 | []",
                "disableOutputCap; true | false; null | 1 | 'true'",
                "disableTimeout; true | false; null | 1",
                "env; null | {} | {'A':'b'} | {'A':null}; 1 | {'A':1} | []",
                "outputBytesCap; null | 0 | 1 | 4294967296; -1 | 1.5 | 'x'",
                "permissionProfile; null | {'type':'disabled'} | {'type':'external','network':{'enabled':true}} | "
                        + "{'type':'managed','network':{'enabled':false},'fileSystem':{'type':'unrestricted'}} | "
                        + "{'type':'managed','network':{'enabled':false},'fileSystem':{'type':'restricted','globScanMaxDepth':2,"
                        + "'entries':[{'access':'none','path':{'type':'path','path':'/x'}},"
                        + "{'access':'read','path':{'type':'glob_pattern','pattern':'**/x'}},"
                        + "{'access':'read','path':{'type':'special','value':{'kind':'minimal'}}}]}}; "
                        + "1 | {} | {'type':'other'} | {'type':'managed'}",
                "processId; null | 'p'; 1 | []",
                "sandboxPolicy; null | {'type':'dangerFullAccess'} | {'type':'readOnly'} | "
                        + "{'type':'readOnly','access':{'type':'fullAccess'},'networkAccess':true} | "
                        + "{'type':'readOnly','access':{'type':'restricted','includePlatformDefaults':false,'readableRoots':['/x']}} | "
                        + "{'type':'externalSandbox','networkAccess':'enabled'} | "
                        + "{'type':'workspaceWrite','excludeSlashTmp':true,'excludeTmpdirEnvVar':true,'networkAccess':true,"
                        + "'readOnlyAccess':{'type':'fullAccess'},'writableRoots':['/y']}; 'readOnly' | {} | {'type':'other'}",
                "size; null | {'rows':1,'cols':65535}; 1 | {'rows':1} | {'rows':-1,'cols':1} | {'rows':65536,'cols':1}",
                "streamStdin; true | false; null | 0",
                "streamStdoutStderr; true | false; null | 0",
                "timeoutMs; null | 0 | -1 | 4294967296; 1.5 | '1'",
                "tty; true | false; null | 0"
            })
    void everyMemberHasTheKindOfTheSchema(String member, String right, String wrong) {
        for (String value : Arrays.asList(right.split(" \\| ", -1))) {
            assertThatCode(() -> read(member, value)).as(member + " " + value).doesNotThrowAnyException();
        }
        for (String value : Arrays.asList(wrong.split(" \\| ", -1))) {
            assertThatThrownBy(() -> read(member, value))
                    .as(member + " " + value)
                    .isInstanceOf(RpcException.class);
        }
    }

    @Test
    void theCommandAloneIsRequiredAndUnknownMembersAreIgnored() {
        assertThat(read("later", "[1]").command()).containsExactly("x");
        assertThatThrownBy(() -> CommandExecParams.read(JsonSlice.of("{}"), Dialect.OPEN))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("command");
    }

    @Test
    void aRecordHasNoMemberBeyondTheSchema() {
        assertThat(CommandExecParams.class.getRecordComponents())
                .extracting(component -> component.getName())
                .containsExactlyInAnyOrder(
                        "command",
                        "cwd",
                        "disableOutputCap",
                        "disableTimeout",
                        "env",
                        "outputBytesCap",
                        "permissionProfile",
                        "processId",
                        "sandboxPolicy",
                        "size",
                        "streamStdin",
                        "streamStdoutStderr",
                        "timeoutMs",
                        "tty");
    }
}
