package dev.execserver.protocol.process;

import static dev.execserver.protocol.rpc.RecordRoundTrip.assertInvalid;
import static dev.execserver.protocol.rpc.RecordRoundTrip.json;
import static dev.execserver.protocol.rpc.RecordRoundTrip.roundTrip;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartParamsTest {

    private static final String SMALL =
            "{\"processId\":\"p\",\"argv\":[\"true\"],\"cwd\":\"file:///tmp\",\"env\":{},\"tty\":false}";

    private static final String FULL = """
            {"processId":"p","metadata":{"threadId":"0198d6a0-6a3f-7c52-9d51-3f4f43f5a8e1","toolCallId":"c1"},\
            "argv":["/bin/bash","-lc","cat"],"cwd":"file:///ws","envPolicy":{"inherit":"all","ignoreDefaultExcludes":true,\
            "exclude":["CODEX_VERSION"],"set":{"B":"1","A":"2"},"includeOnly":[]},\
            "shellSnapshot":{"scopeId":"s","shell":{"name":"bash","path":"/bin/bash"}},\
            "env":{"TERM":"dumb","COLORTERM":""},"tty":true,"pipeStdin":true,"arg0":"-bash",\
            "sandbox":{"permissions":{"type":"disabled"}},"enforceManagedNetwork":true,\
            "managedNetwork":{"loopbackPorts":[1]},"networkProxy":{"x":[]}}""";

    @Test
    void whatIsAbsentHasItsDefault() {
        StartParams read = StartParams.read(JsonSlice.of(SMALL), Dialect.STRICT);
        assertThat(read).isEqualTo(new StartParamsBuilder("p", PathUri.ofNative("/tmp"), List.of("true")).build());
    }

    @Test
    void nullStandsForAbsent() {
        String nulls = SMALL.substring(0, SMALL.length() - 1)
                + ",\"metadata\":null,\"envPolicy\":null,\"shellSnapshot\":null,\"arg0\":null,\"sandbox\":null,"
                + "\"managedNetwork\":null,\"networkProxy\":null,\"size\":null,\"timeoutMs\":null,\"push\":null}";
        assertThat(StartParams.read(JsonSlice.of(nulls), Dialect.OPEN))
                .isEqualTo(StartParams.read(JsonSlice.of(SMALL), Dialect.OPEN));
    }

    @Test
    void everyMemberIsReadAndWritten() {
        StartParams read = roundTrip(FULL, StartParams::read);
        assertThat(read.metadata().orElseThrow().threadId())
                .contains(UUID.fromString("0198d6a0-6a3f-7c52-9d51-3f4f43f5a8e1"));
        assertThat(read.envPolicy().orElseThrow().set().keySet()).containsExactly("B", "A");
        assertThat(read.env()).containsExactly(Map.entry("TERM", "dumb"), Map.entry("COLORTERM", ""));
        assertThat(read.sandbox().orElseThrow()).hasToString("{\"permissions\":{\"type\":\"disabled\"}}");
        assertThat(read.arg0()).contains("-bash");
        assertThat(read.pipeStdin()).isTrue();
        assertThat(read.enforceManagedNetwork()).isTrue();
    }

    @Test
    void theBuilderSetsEveryMember() {
        StartParams read = StartParams.read(JsonSlice.of(FULL), Dialect.STRICT);
        StartParams built = new StartParamsBuilder("p", PathUri.ofNative("/ws"), List.of("/bin/bash", "-lc", "cat"))
                .metadata(read.metadata().orElseThrow())
                .envPolicy(read.envPolicy().orElseThrow())
                .shellSnapshot(read.shellSnapshot().orElseThrow())
                .env(read.env())
                .tty(true)
                .pipeStdin(true)
                .arg0("-bash")
                .sandbox(read.sandbox().orElseThrow())
                .enforceManagedNetwork(true)
                .managedNetwork(read.managedNetwork().orElseThrow())
                .networkProxy(read.networkProxy().orElseThrow())
                .options(StartOptions.NONE)
                .build();
        assertThat(built).isEqualTo(read);
    }

    @Test
    void additionsAreReadInTheOpenDialectOnly() {
        String more = SMALL.substring(0, SMALL.length() - 1)
                + ",\"size\":{\"cols\":120,\"rows\":40},\"timeoutMs\":5,\"idleTimeoutMs\":6,\"closeGraceMs\":0,\"push\":false}";
        StartOptions expected = new StartOptions(
                Optional.of(new TerminalSize(120, 40)),
                OptionalLong.of(5),
                OptionalLong.of(6),
                OptionalLong.of(0),
                false);
        StartParams read = StartParams.read(JsonSlice.of(more), Dialect.OPEN);
        assertThat(read.options()).isEqualTo(expected);
        assertThat(StartParams.read(JsonSlice.of(json(read)), Dialect.OPEN)).isEqualTo(read);
        assertThat(StartParams.read(JsonSlice.of(more), Dialect.STRICT).options())
                .isEqualTo(StartOptions.NONE);

        String wrong = more.replace("\"timeoutMs\":5", "\"timeoutMs\":\"5\"");
        assertInvalid(wrong, Dialect.OPEN, StartParams::read, "invalid type: string \"5\", expected u64");
        assertThat(StartParams.read(JsonSlice.of(wrong), Dialect.STRICT).options())
                .isEqualTo(StartOptions.NONE);
    }

    @ParameterizedTest
    @CsvSource({"processId", "argv", "cwd", "env", "tty"})
    void requiredMembersAreMissed(String member) {
        String without = SMALL.replace("\"" + member + "\"", "\"other\"");
        assertInvalid(without, StartParams::read, "missing field `" + member + "`");
    }

    @ParameterizedTest
    @CsvSource({"inherit", "ignoreDefaultExcludes", "exclude", "set", "includeOnly"})
    void everyMemberOfAPolicyIsRequired(String member) {
        String without = FULL.replace("\"" + member + "\"", "\"other\"");
        assertInvalid(without, StartParams::read, "missing field `" + member + "`");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "\"tty\":false | \"tty\":\"x\" | invalid type: string \"x\", expected a boolean",
                "\"tty\":false | \"tty\":null | invalid type: null, expected a boolean",
                "\"tty\":false | \"tty\":true,\"pipeStdin\":null | invalid type: null, expected a boolean",
                "\"env\":{} | \"env\":{\"A\":1} | invalid type: integer `1`, expected a string",
                "\"env\":{} | \"env\":null | invalid type: null, expected a map",
                "[\"true\"] | \"true\" | invalid type: string \"true\", expected a sequence",
                "\"file:///tmp\" | \"tmp\" | invalid URI: relative URL without a base",
                "\"file:///tmp\" | \"file:///a%00\" | path must not contain a NUL byte",
                "\"env\":{} | \"env\":{},\"metadata\":{\"threadId\":\"1-2-3-4-5\"} | invalid thread ID: not a UUID",
                "\"env\":{} | \"env\":{},\"metadata\":[] | invalid type: sequence, expected struct ExecMetadata",
                "\"env\":{} | \"env\":{},\"envPolicy\":{\"inherit\":\"some\"} | unknown variant `some`, expected one of `core`, `all`, `none`",
            })
    void wrongTypesAreNamed(String correct, String wrong, String text) {
        assertInvalid(SMALL.replace(correct, wrong), StartParams::read, text);
    }

    @Test
    void paramsMustBeThere() {
        assertInvalid("null", StartParams::read, "invalid type: null, expected struct ExecParams");
    }

    @Test
    void nativeDirectoriesAreTakenInTheOpenDialectOnly() {
        String old = SMALL.replace("file:///tmp", "/tmp");
        assertThat(StartParams.read(JsonSlice.of(old), Dialect.OPEN).cwd()).isEqualTo(PathUri.ofNative("/tmp"));
        assertInvalid(old, Dialect.STRICT, StartParams::read, "invalid URI: relative URL without a base");
    }

    @Test
    void stringsWithNulAndAnEmptyArgvAreLeftToTheServer() {
        String odd = SMALL.replace("[\"true\"]", "[]").replace("\"p\"", "\"\\u0000\"");
        StartParams read = StartParams.read(JsonSlice.of(odd), Dialect.STRICT);
        assertThat(read.argv()).isEmpty();
        assertThat(read.processId()).isEqualTo("\0");
    }
}
