package dev.execserver.server.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.ErrorCodes;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.config.StrictMembers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class MembersChecksTest {

    private static final MembersChecks WARN = MembersChecks.of(StrictMembers.WARN, SchemaDialect.EXEC, Dialect.OPEN);

    /** The reference ignores the params, so that the schema has no members. */
    private static final String ANY_PARAMS = "permissionProfile/list";

    private static List<String> warnings(String method, String params) {
        return WARN.of(method).check(JsonSlice.of(params.replace('\'', '"')));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {'timeout':1}                                   | unknown member `timeout`; did you mean `timeoutMs`?
            {'timeout_ms':1}                                | unknown member `timeout_ms`; did you mean `timeoutMs`?
            {'agrv':[]}                                     | unknown member `agrv`; did you mean `argv`?
            {'zebra':1}                                     | unknown member `zebra`
            {'size':{'row':1,'cols':2}}                     | unknown member `size.row`; did you mean `rows`?
            {'sandbox':{'permission':{'type':'disabled'}}}  | unknown member `sandbox.permission`; did you mean `permissions`?
            {'sandbox':{'permissions':{'type':'disabled','network':'enabled'}}} | unknown member `sandbox.permissions.network`
            {'execPolicy':{'prefixRules':[{'pattern':['a'],'decison':'allow'}]}} | unknown member `execPolicy.prefixRules[0].decison`; did you mean `decision`?
            """)
    void anUnknownMemberIsNamedWithTheOneThatWasMeant(String params, String warning) {
        assertThat(warnings("process/start", params)).containsExactly(warning);
    }

    @Test
    void namesOfMapsAndMembersOfEveryFormAreKnown() {
        assertThat(
                        warnings(
                                "process/start",
                                "{'env':{'ANY':'1'},'timeoutMs':1,'sandbox':{'permissions':{'type':'managed','fileSystem':{'type':"
                                        + "'unrestricted'},'network':'enabled'},'sandboxPolicy':{'any':1}},'shellSnapshot':{'any':1}}"))
                .isEmpty();
        assertThat(warnings("process/start", "{'sandbox':{'permissions':{'type':'no such','x':1}},'size':7}"))
                .as("errors of the reader")
                .isEmpty();
    }

    @Test
    void paramsOfAMethodWithoutParamsHaveNoMembers() {
        assertThat(warnings("process/list", "{'processId':'p'}")).containsExactly("unknown member `processId`");
        assertThat(warnings("process/list", "null")).isEmpty();
        assertThat(warnings("process/list", "[1]")).isEmpty();
    }

    @Test
    void additionsAreUnknownMembersInTheStrictDialect() {
        MembersChecks strict = MembersChecks.of(StrictMembers.WARN, SchemaDialect.EXEC, Dialect.STRICT);
        assertThat(strict.of("process/start").check(JsonSlice.of("{\"timeoutMs\":1,\"argv\":[]}")))
                .containsExactly("unknown member `timeoutMs`");
    }

    @Test
    void eightAreNamedAndTheOthersCounted() {
        StringBuilder params = new StringBuilder("{");
        for (int i = 0; i < 10_000; i++) {
            params.append(i == 0 ? "" : ",").append("'m").append(i).append("':1");
        }
        assertThat(warnings("process/read", params + "}")).hasSize(9).last().isEqualTo("9992 more unknown members");
        assertThat(warnings("process/read", "{'" + "x".repeat(100_000) + "':1}").getFirst())
                .hasSizeLessThan(200);
    }

    @Test
    void aRefusalNamesTheMember() {
        MembersChecks refuse = MembersChecks.of(StrictMembers.REFUSE, SchemaDialect.APP, Dialect.OPEN);
        assertThatThrownBy(() -> refuse.of("command/exec").check(JsonSlice.of("{\"timeout\":1}")))
                .isInstanceOfSatisfying(RpcException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCodes.INVALID_PARAMS);
                    assertThat(e.message()).isEqualTo("unknown member `timeout`; did you mean `timeoutMs`?");
                });
    }

    @ParameterizedTest
    @EnumSource
    void everyMethodOfAClientIsChecked(SchemaDialect dialect) {
        MembersChecks checks = MembersChecks.of(StrictMembers.WARN, dialect, Dialect.OPEN);
        byte[] document = SchemaDocuments.read(dialect, SchemaFormat.JSONSCHEMA);
        Map<String, JsonSlice> methods = JsonSlice.of(document, 0, document.length)
                .members()
                .get("x-methods")
                .members();
        assertThat(methods).isNotEmpty();
        methods.keySet().stream()
                .filter(method -> !method.equals(ANY_PARAMS))
                .forEach(method -> assertThat(checks.of(method).check(JsonSlice.of("{\"zebra\":1}")))
                        .as(method)
                        .containsExactly("unknown member `zebra`"));
    }

    /** What real clients send is known; a few conversations test unknown members on purpose. */
    @Test
    void recordedConversationsHaveNoUnknownMembers() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("../it-tests/src/test/resources/transcripts"))) {
            for (Path file : files.filter(path -> path.toString().endsWith(".jsonl"))
                    .sorted()
                    .toList()) {
                for (String line : Files.readAllLines(file)) {
                    recorded(line)
                            .ifPresent(unknown ->
                                    assertThat(unknown).as("%s: %s", file, line).isEmpty());
                }
            }
        }
    }

    private static Optional<List<String>> recorded(String line) {
        JsonSlice message = JsonSlice.of(line).members().get("msg");
        if (message == null || !line.contains("\"c2s\"") || !message.members().containsKey("params")) {
            return Optional.empty();
        }
        String method = message.members().get("method").toString().replace("\"", "");
        return Optional.of(WARN.of(method).check(message.members().get("params")));
    }
}
