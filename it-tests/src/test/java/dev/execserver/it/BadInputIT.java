package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests that make no sense: each is answered with an error, and neither this connection nor another one suffers. */
@Timeout(60)
class BadInputIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private WireClient client;
    private WireClient bystander;
    private RemoteProcess bystanding;

    @BeforeEach
    void connect() {
        client = SERVER.client();
        bystander = SERVER.client();
        bystanding = bystander.start(Start.of("cat").stdin());
    }

    @AfterEach
    void everybodyIsUnharmed() {
        client.assertServed();
        assertThat(bystanding.write("still here")).isEqualTo("accepted");
        bystanding.awaitText("still here");
        assertThat(client.start(Start.of("true")).exited().exitCode()).isZero();
    }

    static Stream<Arguments> badStarts() {
        String nul = "a\u0000b";
        return Stream.of(
                bad("empty argv", -32602, Start.of().with("argv", List.of())),
                bad("argv missing", -32602, Start.of("true").without("argv")),
                bad("argv a string", -32602, Start.of("true").with("argv", "true")),
                bad("argv of numbers", -32602, Start.of("true").with("argv", List.of("true", 1))),
                bad("argv null", -32602, Start.of("true").with("argv", null)),
                bad("processId missing", -32602, Start.of("true").without("processId")),
                bad("cwd missing", -32602, Start.of("true").without("cwd")),
                bad("cwd a number", -32602, Start.of("true").with("cwd", 7)),
                bad("cwd relative", -32602, Start.of("true").with("cwd", "tmp")),
                bad("cwd empty", -32602, Start.of("true").with("cwd", "")),
                bad("cwd of another host", -32602, Start.of("true").with("cwd", "file://host/tmp")),
                bad("cwd with a query", -32602, Start.of("true").with("cwd", "file:///tmp?x=1")),
                bad("cwd with a fragment", -32602, Start.of("true").with("cwd", "file:///tmp#x")),
                bad("cwd with another scheme", -32602, Start.of("true").with("cwd", "http://x/tmp")),
                bad("env missing", -32602, Start.of("true").without("env")),
                bad("env a list", -32602, Start.of("true").with("env", List.of("A=b"))),
                bad("env with a number", -32602, Start.of("true").with("env", Map.of("A", 1))),
                bad("tty missing", -32602, Start.of("true").without("tty")),
                bad("tty a string", -32602, Start.of("true").with("tty", "yes")),
                bad("pipeStdin a number", -32602, Start.of("true").with("pipeStdin", 1)),
                bad("arg0 a number", -32602, Start.of("true").with("arg0", 1)),
                bad("timeoutMs negative", -32602, Start.of("true").with("timeoutMs", -1)),
                bad("idleTimeoutMs a string", -32602, Start.of("true").with("idleTimeoutMs", "1s")),
                bad("closeGraceMs negative", -32602, Start.of("true").with("closeGraceMs", -5)),
                bad("size without rows", -32602, Start.of("true").tty().with("size", Map.of("cols", 80))),
                bad("size too large", -32602, Start.of("true").tty().with("size", Map.of("cols", 70_000, "rows", 24))),
                bad("push a string", -32602, Start.of("true").with("push", "no")),
                bad("NUL in argv", 0, Start.of("echo", nul)),
                bad("NUL in the program", 0, Start.of(nul)),
                bad("NUL in an environment value", 0, Start.of("true").env("A", nul)),
                bad("NUL in an environment name", 0, Start.of("true").env(nul, "x")),
                bad("NUL in cwd", 0, Start.of("true").with("cwd", "file:///tmp%00x")),
                bad("NUL in arg0", 0, Start.of("true").with("arg0", nul)),
                bad("empty program", 0, Start.of("")),
                bad("a program that is a directory", -32603, Start.of("/tmp")),
                bad("an argument above the kernel's limit", -32603, Start.of("echo", "x".repeat(1 << 20))),
                bad(
                        "a sandbox, which this version does not have",
                        -32602,
                        Start.of("true").with("sandbox", Map.of())));
    }

    private static Arguments bad(String what, int code, Start start) {
        return Arguments.of(what, code, start);
    }

    /** Code 0 in the table: the specification leaves the code open, an error is all it asks for. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("badStarts")
    void aStartThatMakesNoSenseIsRefused(String what, int code, Start start) {
        Answer answer = client.send("process/start", start.params()).answer();

        assertThat(answer.failed()).as("%s: %s", what, answer.message()).isTrue();
        assertThat(answer.errorMessage()).isNotBlank();
        if (code != 0) {
            assertThat(answer.errorCode()).isEqualTo(code);
        }
    }

    static Stream<Arguments> badRequests() {
        return Stream.of(
                request(-32600, "process/read", "processId", "nobody"),
                request(-32602, "process/read", "processId", 5),
                request(-32602, "process/read"),
                request(-32602, "process/read", "processId", "p", "afterSeq", -1),
                request(-32602, "process/read", "processId", "p", "afterSeq", 1.5),
                request(-32602, "process/read", "processId", "p", "afterSeq", "1"),
                request(-32602, "process/read", "processId", "p", "maxBytes", -1),
                request(-32602, "process/read", "processId", "p", "waitMs", -1),
                request(-32602, "process/read", "processId", "p", "waitMs", true),
                request(-32602, "process/write", "processId", "p", "chunk", "*", "writeId", "1"),
                request(-32602, "process/write", "processId", "p", "chunk", "eA", "writeId", "1"),
                request(-32602, "process/write", "processId", "p", "chunk", "eA==\n", "writeId", "1"),
                request(-32602, "process/write", "processId", "p", "chunk", 5, "writeId", "1"),
                request(-32602, "process/write", "processId", "p", "writeId", "1"),
                request(-32602, "process/write", "processId", "p", "chunk", "eA==", "writeId", ""),
                request(-32602, "process/write", "processId", "p", "chunk", "eA==", "writeId", 1),
                request(-32602, "process/signal", "processId", "p"),
                request(-32602, "process/signal", "processId", "p", "signal", "NOSUCH"),
                request(-32602, "process/signal", "processId", "p", "signal", 2),
                request(-32602, "process/terminate"),
                request(-32602, "process/terminate", "processId", List.of()),
                request(-32602, "process/terminate", "processId", "p", "graceMs", -1),
                request(-32602, "process/resize", "processId", "p", "cols", -1, "rows", 24),
                request(-32602, "process/resize", "processId", "p", "cols", 80),
                request(-32602, "process/closeStdin"),
                request(-32601, "process/fly", "processId", "p"),
                request(-32601, "", "processId", "p"),
                request(-32600, "initialize", "clientName", "again"),
                request(-32602, "initialize", "clientName", 5));
    }

    private static Arguments request(int code, String method, Object... members) {
        return Arguments.of(method, Json.object(members), code);
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("badRequests")
    void aRequestThatMakesNoSenseIsRefused(String method, JsonNode params, int code) {
        client.start(Start.of("cat").stdin().id("p"));
        Answer answer = client.send(method, params).answer();

        assertThat(answer.failed()).as("%s", answer.message()).isTrue();
        assertThat(answer.errorCode()).isEqualTo(code);
    }

    @Test
    void paramsOfAWrongKindAreRefused() {
        for (JsonNode params : List.of(Json.value("x"), Json.value(7), Json.value(true))) {
            assertThat(client.send("process/start", params).answer().errorCode())
                    .isEqualTo(-32602);
        }
    }

    @Test
    void absentParamsAreNull() {
        Answer answer = client.send(Json.object("id", "none", "method", "process/start"))
                .answer();

        assertThat(answer.errorCode()).isEqualTo(-32602);
    }

    @Test
    void anUnknownMethodIsNamedAndWhatMayBeMeant() {
        assertThat(client.call("no/such").errorMessage()).isEqualTo("unknown method `no/such`");
        assertThat(client.call("process/spawn").errorMessage())
                .isEqualTo("unknown method `process/spawn`; did you mean `process/start`?");
        assertThat(client.call("fs/readfile").errorMessage())
                .isEqualTo("unknown method `fs/readfile`; did you mean `fs/readFile`?");
        assertThat(client.call("proces/start").errorMessage())
                .isEqualTo("unknown method `proces/start`; did you mean `process/start`?");
    }

    @Test
    void unknownMembersAreIgnored() {
        assertThat(client.start(Start.of("true").with("unheardOf", List.of(1)))
                        .exited()
                        .exitCode())
                .isZero();
    }

    @Test
    void hugeNumbersAreBoundedWaitsNotOverflows() {
        RemoteProcess process = client.start(Start.of("cat").stdin());
        var poll = process.send(
                "process/read", "afterSeq", Long.MAX_VALUE, "maxBytes", Long.MAX_VALUE, "waitMs", Long.MAX_VALUE);
        process.terminate();

        assertThat(poll.result().get("closed")).isNotNull();
    }

    @Test
    void aMegabyteOfArgumentsArrives() {
        String[] argv = new String[1 + 16];
        Arrays.fill(argv, "y".repeat(64 << 10));
        argv[0] = "echo";
        RemoteProcess process = client.start(Start.of(argv));
        process.closed();

        assertThat(process.events().bytes()).isEqualTo(16 * ((64 << 10) + 1));
    }

    /** execve(2): MAX_ARG_STRLEN for one string, its final NUL included; a quarter of the stack limit for all of them. */
    @ParameterizedTest
    @CsvSource({"1,131071,true", "1,131072,false", "16,65536,true", "64,131071,false"})
    void argumentsThatTheKernelDoesNotTakeAreSaidToBeTooLong(int count, int length, boolean fine) {
        String[] argv = new String[1 + count];
        Arrays.fill(argv, "y".repeat(length));
        argv[0] = "true";
        for (Start start : List.of(
                Start.of(argv),
                Start.of(argv).tty(),
                Start.of(argv).with("sandbox", Policies.of(Path.of("/tmp"), Policies.entry("root", "read"))))) {
            Answer answer = client.sendStart(start).started();
            assertThat(answer.failed()).isEqualTo(!fine);
            if (!fine) {
                assertThat(answer.errorMessage())
                        .isEqualTo("arguments and variables of program `true`: Argument list too long (os error 7)");
                assertThat(answer.error().path("data").path("what").asText()).isEqualTo("arguments");
            }
        }
    }

    @Test
    void twoRequestsWithTheSameIdAreBothAnswered() {
        client.sendText("{\"id\":\"twice\",\"method\":\"environment/status\"}");
        client.sendText("{\"id\":\"twice\",\"method\":\"environment/status\"}");

        assertThat(client.nextStray().get("id").textValue()).isEqualTo("twice");
        assertThat(client.nextStray().get("id").textValue()).isEqualTo("twice");
    }
}
