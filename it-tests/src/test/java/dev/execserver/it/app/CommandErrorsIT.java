package dev.execserver.it.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.AppClient;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.SharedServer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The errors of {@code command/exec}, row by row and in the order of the checks: each row of the table is wrong in its own way and in
 * that of a later one. The recorded conversations have more texts.
 */
@Timeout(120)
class CommandErrorsIT {
    private static final int LONG = 3_000_000;

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private AppClient client;

    @BeforeEach
    void connect() {
        client = AppClient.connect(SERVER.port()).handshake(true);
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private static String error(JsonNode answer) {
        assertThat(answer.has("error")).as("an error: %s", answer).isTrue();
        return answer.get("error").get("code").asInt() + " "
                + answer.get("error").get("message").asText();
    }

    private String refused(String members) {
        ObjectNode params = (ObjectNode) Json.parse("{" + members.replace('\'', '"') + "}");
        if (!params.has("command")) {
            params.set("command", Json.value(List.of("true")));
        }
        return error(client.answer(client.sendParams("command/exec", params)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'command':'ls'                                                  | -32600 Invalid request: invalid type: string "ls", expected a sequence
            'command':[],'size':{'rows':1,'cols':1}                         | -32600 command must not be empty
            'sandboxPolicy':{'type':'readOnly'},'permissionProfile':'x','size':{'rows':1,'cols':1} | -32600 `permissionProfile` cannot be combined with `sandboxPolicy`
            'size':{'rows':0,'cols':1},'outputBytesCap':1,'disableOutputCap':true | -32602 command/exec size requires tty: true
            'outputBytesCap':1,'disableOutputCap':true,'timeoutMs':1,'disableTimeout':true | -32602 command/exec cannot set both outputBytesCap and disableOutputCap
            'timeoutMs':-1,'disableTimeout':true                            | -32602 command/exec cannot set both timeoutMs and disableTimeout
            'timeoutMs':-1,'permissionProfile':'x'                          | -32602 command/exec timeoutMs must be non-negative, got -1
            'permissionProfile':':x','tty':true,'size':{'rows':0,'cols':1}  | -32600 invalid permission profile: default_permissions refers to unknown built-in profile `:x`
            'tty':true,'size':{'rows':0,'cols':1}                           | -32602 command/exec size rows and cols must be greater than 0
            'tty':true,'command':['no-such-program']                        | -32600 command/exec tty or streaming requires a client-supplied processId
            'streamStdin':true,'command':['no-such-program']                | -32600 command/exec tty or streaming requires a client-supplied processId
            """)
    void eachCheckComesBeforeTheNext(String members, String error) {
        assertThat(refused(members)).isEqualTo(error);
    }

    private static Stream<String> confinements() {
        return Stream.of("", ",'permissionProfile':':danger-full-access'", ",'processId':'t','tty':true");
    }

    /** A missing program or directory is the same error in a sandbox, without one, and on a terminal. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'command':['no-such-program']                | No such file or directory (os error 2)
            'command':['/no/such/program']               | No such file or directory (os error 2)
            'command':['true'],'cwd':'/no/such/folder'   | No such file or directory (os error 2)
            'command':['true'],'cwd':'/etc/passwd'       | Not a directory (os error 20)
            'command':['/etc/passwd']                    | Permission denied (os error 13)
            'command':['/etc']                           | Permission denied (os error 13)
            """)
    void aStartThatFailsIsTheSameErrorEverywhere(String members, String why) {
        confinements()
                .forEach(more -> assertThat(refused(members + more))
                        .as(members + more)
                        .isEqualTo("-32603 failed to spawn command: " + why));
    }

    @Test
    void argumentsThatAreTooLongAreTold() {
        confinements()
                .forEach(more -> assertThat(refused("'command':['echo','" + "x".repeat(LONG) + "']" + more))
                        .isEqualTo("-32603 failed to spawn command: Argument list too long (os error 7)"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'command':['a\\u0000b']",
                "'command':['echo','\\u0000']",
                "'cwd':'/tmp\\u0000'",
                "'env':{'A\\u0000':'x'}",
                "'env':{'A':'\\u0000'}",
                "'env':{'':'x'}",
                "'env':{'A=B':'x'}"
            })
    void namesThatNoProgramCanGetAreRefused(String members) {
        assertThat(refused(members)).startsWith("-32602 ");
    }

    @Test
    void anIdInUseIsRefusedBeforeAnythingStarts() {
        int running = client.send(
                "command/exec", "command", List.of("sleep", "600"), "processId", "x", "disableTimeout", true);
        assertThat(refused("'processId':'x','command':['no-such-program']"))
                .isEqualTo("-32600 duplicate active command/exec process id: \"x\"");
        client.call("command/exec/terminate", "processId", "x");
        assertThat(client.answer(running).has("result")).isTrue();
        assertThat(refused("'processId':'x','command':['no-such-program']")).startsWith("-32603 failed to spawn");
    }

    @Test
    void aSandboxThatCannotBeBuiltIsTold() {
        assertThat(refused("""
                'permissionProfile':{'type':'managed','network':{'enabled':false},'fileSystem':{'type':'restricted','entries':[
                {'access':'read','path':{'type':'special','value':{'kind':'root'}}},
                {'access':'deny','path':{'type':'glob_pattern','pattern':'/tmp/LONG'}}]}}""".replace("\n", "").replace("LONG", "x".repeat(9_000))))
                .startsWith("-32603 exec failed: ");
    }

    @Test
    void aPolicyBeyondTheFloorIsTold() {
        try (ServerProcess bounded = ServerProcess.listening("--sandbox-floor", ":read-only");
                AppClient other = AppClient.connect(bounded.port()).handshake(true)) {
            assertThat(error(other.call(
                            "command/exec",
                            "command",
                            List.of("true"),
                            "sandboxPolicy",
                            Json.object("type", "dangerFullAccess"))))
                    .startsWith("-32600 invalid sandbox policy: ");
        }
    }
}
