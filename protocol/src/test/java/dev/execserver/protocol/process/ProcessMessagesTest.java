package dev.execserver.protocol.process;

import static dev.execserver.protocol.rpc.RecordRoundTrip.assertInvalid;
import static dev.execserver.protocol.rpc.RecordRoundTrip.json;
import static dev.execserver.protocol.rpc.RecordRoundTrip.roundTrip;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessMessagesTest {

    @Test
    void startResultsNameTheSandboxUnlessTheServerIsOld() {
        assertThat(roundTrip("{\"processId\":\"p\",\"sandboxType\":\"linuxSeccomp\"}", StartResult::read)
                        .sandboxType())
                .isEqualTo(SandboxType.LINUX_SECCOMP);
        assertThat(StartResult.read(JsonSlice.of("{\"processId\":\"p\"}"), Dialect.STRICT)
                        .sandboxType())
                .isEqualTo(SandboxType.NONE);
    }

    @Test
    void readParamsHaveDefaults() {
        ReadParams expected = new ReadParams("p", 0, OptionalLong.empty(), 0);
        assertThat(ReadParams.read(JsonSlice.of("{\"processId\":\"p\"}"), Dialect.STRICT))
                .isEqualTo(expected);
        String nulls = "{\"processId\":\"p\",\"afterSeq\":null,\"maxBytes\":null,\"waitMs\":null}";
        assertThat(ReadParams.read(JsonSlice.of(nulls), Dialect.STRICT)).isEqualTo(expected);
        roundTrip("{\"processId\":\"p\",\"afterSeq\":2,\"maxBytes\":null,\"waitMs\":0}", ReadParams::read);
        roundTrip("{\"processId\":\"p\",\"afterSeq\":2,\"maxBytes\":0,\"waitMs\":500}", ReadParams::read);
    }

    @Test
    void readParamsAreUnsigned() {
        assertInvalid(
                "{\"processId\":\"p\",\"afterSeq\":-1}", ReadParams::read, "invalid value: integer `-1`, expected u64");
        assertInvalid(
                "{\"processId\":\"p\",\"maxBytes\":1.5}",
                ReadParams::read,
                "invalid type: floating point `1.5`, expected usize");
        assertInvalid("{}", ReadParams::read, "missing field `processId`");
    }

    @Test
    void readResultsOfOlderServersLackMembers() {
        ReadResult read = ReadResult.read(
                JsonSlice.of("{\"chunks\":[],\"nextSeq\":1,\"exited\":false,\"exitCode\":null}"), Dialect.STRICT);
        assertThat(read)
                .isEqualTo(new ReadResult(
                        List.of(), 1, false, OptionalInt.empty(), false, Optional.empty(), false, Optional.empty()));
        assertInvalid(
                "{\"chunks\":[{\"seq\":1}],\"nextSeq\":1,\"exited\":false}",
                ReadResult::read,
                "missing field `stream`");
    }

    @Test
    void whatWasDroppedIsDeclared() {
        String json = "{\"chunks\":[],\"nextSeq\":9,\"exited\":false,\"exitCode\":null,\"closed\":false,"
                + "\"failure\":null,\"sandboxDenied\":false,\"firstSeq\":4,\"droppedBytes\":100}";
        assertThat(roundTrip(json, ReadResult::read).dropped()).contains(new ReadResult.Dropped(4, 100));
    }

    @Test
    void writesNeedAnIdInTheStrictDialect() {
        String plain = "{\"processId\":\"p\",\"chunk\":\"eA==\"}";
        assertInvalid(plain, Dialect.STRICT, WriteParams::read, "missing field `writeId`");
        assertInvalid(
                "{\"processId\":\"p\",\"chunk\":\"eA==\",\"writeId\":null}",
                Dialect.STRICT,
                WriteParams::read,
                "invalid type: null, expected a string");
        WriteParams read = WriteParams.read(JsonSlice.of(plain), Dialect.OPEN);
        assertThat(read.writeId()).isEmpty();
        assertThat(read.chunk()).containsExactly('x');
        assertThat(json(read)).isEqualTo(plain);
    }

    @Test
    void anEmptyWriteIdIsRefusedInBothDialects() {
        assertInvalid(
                "{\"processId\":\"p\",\"chunk\":\"\",\"writeId\":\"\"}",
                WriteParams::read,
                "writeId must not be empty");
    }

    @Test
    void writesCarryBase64() {
        assertThat(roundTrip("{\"processId\":\"p\",\"chunk\":\"aGVsbG8K\",\"writeId\":\"1\"}", WriteParams::read)
                        .chunk())
                .asString()
                .isEqualTo("hello\n");
        assertInvalid(
                "{\"processId\":\"p\",\"chunk\":\"*\",\"writeId\":\"1\"}",
                Dialect.STRICT,
                WriteParams::read,
                "Invalid symbol 42, offset 0.");
        assertInvalid(
                "{\"processId\":\"p\",\"chunk\":\"eA\",\"writeId\":\"1\"}",
                Dialect.OPEN,
                WriteParams::read,
                "`chunk` is not valid Base64: Invalid padding");
    }

    @ParameterizedTest
    @CsvSource({
        "accepted, ACCEPTED",
        "unknownProcess, UNKNOWN_PROCESS",
        "stdinClosed, STDIN_CLOSED",
        "starting, STARTING"
    })
    void writesAndClosesAnswerWithAStatus(String wire, WriteStatus status) {
        String json = "{\"status\":\"" + wire + "\"}";
        assertThat(roundTrip(json, WriteResult::read).status()).isEqualTo(status);
        assertThat(roundTrip(json, CloseStdinResult::read).status()).isEqualTo(status);
    }

    @Test
    void onlyInterruptIsASignalInTheStrictDialect() {
        roundTrip("{\"processId\":\"p\",\"signal\":\"interrupt\"}", SignalParams::read);
        assertInvalid(
                "{\"processId\":\"p\",\"signal\":\"kill\"}",
                Dialect.STRICT,
                SignalParams::read,
                "unknown variant `kill`, expected `interrupt`");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "SIGTERM", "term", "interrupt", "winch"})
    void everyNameIsKeptInTheOpenDialect(String signal) {
        JsonSlice params = JsonSlice.of("{\"processId\":\"p\",\"signal\":\"" + signal + "\"}");
        assertThat(SignalParams.read(params, Dialect.OPEN)).isEqualTo(new SignalParams("p", signal));
    }

    @Test
    void terminateMayGiveTimeInTheOpenDialect() {
        roundTrip("{\"processId\":\"p\"}", TerminateParams::read);
        JsonSlice params = JsonSlice.of("{\"processId\":\"p\",\"graceMs\":200}");
        assertThat(TerminateParams.read(params, Dialect.OPEN).graceMs()).isEqualTo(OptionalLong.of(200));
        assertThat(TerminateParams.read(params, Dialect.STRICT).graceMs()).isEqualTo(OptionalLong.empty());
        roundTrip("{\"running\":true}", TerminateResult::read);
    }

    @Test
    void terminalsHaveAtLeastOneCharacter() {
        assertThat(roundTrip("{\"processId\":\"p\",\"cols\":65535,\"rows\":1}", ResizeParams::read)
                        .size())
                .isEqualTo(new TerminalSize(65_535, 1));
        assertInvalid(
                "{\"processId\":\"p\",\"cols\":0,\"rows\":1}",
                ResizeParams::read,
                "invalid value: integer `0`, expected an integer from 1 to 65535");
        assertInvalid(
                "{\"processId\":\"p\",\"cols\":1,\"rows\":65536}",
                ResizeParams::read,
                "invalid value: integer `65536`, expected an integer from 1 to 65535");
    }

    @Test
    void stdinIsClosedByProcessId() {
        roundTrip("{\"processId\":\"p\"}", CloseStdinParams::read);
        assertInvalid("{}", CloseStdinParams::read, "missing field `processId`");
    }

    @Test
    void aListDescribesEveryProcess() {
        String json =
                "{\"processes\":[{\"processId\":\"p\",\"pid\":7,\"argv\":[\"sh\"],\"cwd\":\"file:///tmp\",\"tty\":true,"
                        + "\"running\":false,\"exited\":true,\"exitCode\":137,\"closed\":false,\"nextSeq\":3,\"startedAtMs\":1795818717348},"
                        + "{\"processId\":\"q\",\"pid\":null,\"argv\":[],\"cwd\":\"file:///%FF\",\"tty\":false,"
                        + "\"running\":false,\"exited\":false,\"exitCode\":null,\"closed\":false,\"nextSeq\":1,\"startedAtMs\":0}]}";
        ListResult read = roundTrip(json, ListResult::read);
        assertThat(read.processes().getFirst().cwd()).isEqualTo(PathUri.ofNative("/tmp"));
        assertThat(read.processes().getLast().pid()).isEqualTo(OptionalLong.empty());
    }

    @Test
    void exitsSayWhetherTheSandboxRefusedAndWhyTheServerEndedIt() {
        String plain = "{\"processId\":\"p\",\"seq\":3,\"exitCode\":3,\"sandboxDenied\":false}";
        assertThat(roundTrip(plain, ExitedNotification::read)).isEqualTo(new ExitedNotification("p", 3, 3, false));
        assertThat(roundTrip(plain.replace("}", ",\"reason\":\"timeout\"}"), ExitedNotification::read)
                        .reason())
                .contains("timeout");
        assertThat(roundTrip("{\"processId\":\"p\",\"seq\":3,\"exitCode\":-1}", ExitedNotification::read)
                        .sandboxDenied())
                .isEmpty();
    }

    @Test
    void closesHaveANumberUnlessTheServerIsOld() {
        assertThat(roundTrip("{\"processId\":\"p\",\"seq\":4}", ClosedNotification::read))
                .isEqualTo(new ClosedNotification("p", 4));
        assertThat(roundTrip("{\"processId\":\"p\"}", ClosedNotification::read).seq())
                .isEqualTo(OptionalLong.empty());
        roundTrip("{\"processId\":\"p\",\"seq\":4,\"reason\":\"grace\"}", ClosedNotification::read);
    }

    @Test
    void outputNamesItsStream() {
        assertInvalid(
                "{\"processId\":\"p\",\"seq\":1,\"stream\":\"stdin\",\"chunk\":\"\"}",
                OutputNotification::read,
                "unknown variant `stdin`, expected one of `stdout`, `stderr`, `pty`");
    }
}
