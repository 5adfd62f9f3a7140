package dev.execserver.server.credentials;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.rights.Rights;
import dev.execserver.server.transport.auth.Admission;
import dev.execserver.server.transport.auth.NamedClients;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientsFileTest {
    /** Digest of {@code secret}. */
    private static final String DIGEST = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";

    private static NamedClients parse(String json) throws Exception {
        return ClientsFile.parse(json.getBytes(UTF_8));
    }

    private static String client(String members) {
        return "{\"clients\":[{\"name\":\"ci\",\"tokens\":[{\"sha256\":\"" + DIGEST + "\"}]" + members + "}]}";
    }

    private static Rights rights(NamedClients clients) {
        Admission.Granted granted = (Admission.Granted) clients.check(List.of("Bearer secret"));
        return granted.subject().orElseThrow().rights();
    }

    @Test
    void aClientIsKnownByTheDigestOfItsToken() throws Exception {
        NamedClients clients = parse(client(""));
        assertThat(rights(clients).client()).isEqualTo("ci");
        assertThat(clients.check(List.of("Bearer Secret"))).isInstanceOf(Admission.Refused.class);
        assertThat(clients.check(List.of())).isInstanceOf(Admission.Refused.class);
        assertThat(clients).hasToString("NamedClients[[ci]]").isEqualTo(parse(client("")));
    }

    @Test
    void patternsOfMethodsEndWithAStar() throws Exception {
        Rights rights = rights(parse(client(",\"methods\":[\"fs/*\",\"process/start\"]")));
        assertThat(rights.allows("fs/readFile")).isTrue();
        assertThat(rights.allows("process/start")).isTrue();
        assertThat(rights.allows("process/startAll")).isFalse();
        assertThat(rights.allows("command/exec")).isFalse();
        assertThat(rights(parse(client(",\"methods\":[]"))).allows("fs/readFile"))
                .isFalse();
        assertThat(rights(parse(client(""))).allows("fs/readFile")).isTrue();
    }

    @Test
    void aTokenIsAcceptedInItsTimeOnly() throws Exception {
        String token = "{\"clients\":[{\"name\":\"ci\",\"tokens\":[{\"sha256\":\"" + DIGEST + "\",%s}]}]}";
        List<String> shown = List.of("Bearer secret");
        assertThat(parse(token.formatted("\"until\":\"2001-01-01T00:00:00Z\"")).check(shown))
                .isEqualTo(new Admission.Refused("expired websocket bearer token of client ci"));
        assertThat(parse(token.formatted("\"from\":\"2999-01-01T00:00:00Z\"")).check(shown))
                .isEqualTo(new Admission.Refused("websocket bearer token of client ci is not valid yet"));
        assertThat(parse(token.formatted("\"until\":\"2999-01-01T00:00:00Z\"")).check(shown))
                .isInstanceOf(Admission.Granted.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                ",\"metods\":[] | unknown member `metods`",
                ",\"certificates\":[\"CN=x\"] | names no certificate",
                ",\"certificates\":[\"subject:not a name\"] | names no certificate",
                ",\"maxSessions\":0 | maxSessions",
                ",\"sandboxFloor\":{\"type\":\"x\"} | unknown variant",
            })
    void aFileThatIsNotUnderstoodIsRefused(String members, String why) {
        assertThatThrownBy(() -> parse(client(members)))
                .isInstanceOfSatisfying(
                        RpcException.class,
                        e -> assertThat(e.message()).contains(why.strip()).doesNotContain(DIGEST));
    }

    @Test
    void credentialsHaveOneOwner() {
        String twice = "{\"clients\":[{\"name\":\"a\",\"tokens\":[{\"sha256\":\"%1$s\"}]},"
                + "{\"name\":\"b\",\"tokens\":[{\"sha256\":\"%1$s\"}]}]}";
        assertThatThrownBy(() -> parse(twice.formatted(DIGEST)))
                .isInstanceOfSatisfying(
                        RpcException.class,
                        e -> assertThat(e.message())
                                .contains("of the client b stands there twice")
                                .doesNotContain(DIGEST));
        assertThatThrownBy(() -> parse("{\"clients\":[]}")).isInstanceOf(RpcException.class);
        assertThatThrownBy(() -> parse("{\"clients\":[{\"name\":\"a\"}]}")).isInstanceOf(RpcException.class);
    }
}
