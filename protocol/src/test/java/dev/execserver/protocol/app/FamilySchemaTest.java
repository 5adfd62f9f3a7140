package dev.execserver.protocol.app;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.RpcException;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Params of the methods beside {@code command/exec}, member by member: each takes values of its kinds, null where that is one of them,
 * and nothing else. All members of a row's request are right except the one under test.
 */
class FamilySchemaTest {

    private static Consumer<JsonSlice> reader(String method) {
        return switch (method) {
            case "command/exec/write" -> params -> CommandWriteParams.read(CommandFamily.COMMAND, params);
            case "command/exec/resize" -> params -> CommandResizeParams.read(CommandFamily.COMMAND, params);
            case "command/exec/terminate" ->
                params -> CommandTerminateParams.read(CommandFamily.COMMAND, params, Dialect.OPEN);
            case "process/writeStdin" -> params -> CommandWriteParams.read(CommandFamily.SPAWN, params);
            case "process/resizePty" -> params -> CommandResizeParams.read(CommandFamily.SPAWN, params);
            case "process/kill" -> params -> CommandTerminateParams.read(CommandFamily.SPAWN, params, Dialect.OPEN);
            case "process/spawn" -> SpawnParams::read;
            default -> throw new IllegalArgumentException(method);
        };
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            command/exec/write; 'deltaBase64':null; processId; 'p' | ''; null | 1 | []
            command/exec/write; 'processId':'p'; deltaBase64; null | '' | 'aGk='; 1 | []
            command/exec/write; 'processId':'p'; closeStdin; true | false; null | 1
            command/exec/resize; 'size':{'rows':1,'cols':1}; processId; 'p'; null | 1
            command/exec/resize; 'processId':'p'; size; {'rows':1,'cols':65535} | {'rows':0,'cols':0}; null | {'rows':1} | {'rows':65536,'cols':1} | {'rows':-1,'cols':1}
            command/exec/terminate; 'later':1; processId; 'p' | ''; null | 1
            process/writeStdin; 'deltaBase64':null; processHandle; 'h'; null | 1
            process/resizePty; 'size':{'rows':1,'cols':1}; processHandle; 'h'; null | 1
            process/kill; 'later':1; processHandle; 'h'; null | 1
            process/spawn; 'cwd':'/','processHandle':'h'; command; ['x'] | []; null | 'x' | [1]
            process/spawn; 'command':['x'],'processHandle':'h'; cwd; '/' | '/x'; null | 1 | 'x'
            process/spawn; 'command':['x'],'cwd':'/'; processHandle; 'h'; null | 1
            process/spawn; 'command':['x'],'cwd':'/','processHandle':'h'; tty; true | false; null | 1
            process/spawn; 'command':['x'],'cwd':'/','processHandle':'h'; streamStdin; true | false; null | 1
            process/spawn; 'command':['x'],'cwd':'/','processHandle':'h'; streamStdoutStderr; true | false; null | 1
            process/spawn; 'command':['x'],'cwd':'/','processHandle':'h'; outputBytesCap; null | 0 | 5; -1 | 1.5 | 'x'
            process/spawn; 'command':['x'],'cwd':'/','processHandle':'h'; timeoutMs; null | 0 | -5; 1.5 | 'x'
            process/spawn; 'command':['x'],'cwd':'/','processHandle':'h'; env; null | {} | {'A':'b','C':null}; 1 | [] | {'A':1}
            process/spawn; 'command':['x'],'cwd':'/','processHandle':'h'; size; null | {'rows':1,'cols':1}; 1 | {'rows':1}
            """)
    void everyMemberHasTheKindOfTheSchema(String method, String others, String member, String right, String wrong) {
        for (String value : right.split(" \\| ", -1)) {
            assertThatCode(() -> reader(method).accept(json(others, member, value)))
                    .as(method + " " + member + " " + value)
                    .doesNotThrowAnyException();
        }
        for (String value : wrong.split(" \\| ", -1)) {
            assertThatThrownBy(() -> reader(method).accept(json(others, member, value)))
                    .as(method + " " + member + " " + value)
                    .isInstanceOf(RpcException.class);
        }
    }

    private static JsonSlice json(String others, String member, String value) {
        return JsonSlice.of(("{" + others + ",'" + member + "':" + value + "}").replace('\'', '"'));
    }
}
