package dev.execserver.server.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.net.NetworkProxySettings;
import dev.execserver.protocol.rpc.MalformedMessageException;
import dev.execserver.protocol.rpc.RpcException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Profiles in JSON: their proxies, and where their faults are. */
class JsonProfilesTest {
    private static final String NETWORKED = """
            {"profiles": {
              "web": {"type": "managed", "network": {"enabled": true},
                "fileSystem": {"type": "restricted", "entries": [
                  {"access": "read", "path": {"type": "special", "value": {"kind": "root"}}},
                  {"access": "write", "path": {"type": "special", "value": {"kind": "tmpdir"}}}]},
                "networkProxy": {"domains": {"a.example": "allow"}}}}}
            """;

    private static List<NamedProfile> read(String json) throws MalformedMessageException {
        return new JsonProfiles(json.getBytes(UTF_8), _ -> {}).read();
    }

    @Test
    void aProfileHasAProxyWithTheUsualSettings() throws MalformedMessageException {
        NetworkProxySettings proxy = read(NETWORKED).getFirst().proxy().orElseThrow();

        assertThat(proxy.domains()).containsOnlyKeys("a.example");
        assertThat(proxy.enableSocks5()).isTrue();
        assertThat(proxy.allowLocalBinding()).isFalse();
    }

    @Test
    void aFaultIsToldWithItsPlace() {
        fault(NETWORKED.replace("\"tmpdir\"", "\"tmp\""), "line 5, column 65: profile `web`: unknown variant `tmp`");
        fault(NETWORKED.replace("\"write\"", "\"wrote\""), "line 5, column 8: profile `web`: unknown variant `wrote`");
        fault(
                NETWORKED.replace("domains", "domain"),
                "line 6, column 5: profile `web`: `networkProxy`: unknown member");
        fault(NETWORKED.replace("true", "false"), "line 6, column 5: profile `web`: `networkProxy`: it needs a");
        fault(NETWORKED.replace("\"web\"", "\"a/b\""), "line 2, column 3: the name `a/b`");
        fault("{\"profile\": {}}", "line 1, column 1: unknown member `profile`");
    }

    private static void fault(String json, String message) {
        assertThatThrownBy(() -> read(json))
                .isInstanceOfSatisfying(
                        RpcException.class, e -> assertThat(e.message()).startsWith(message));
    }

    @Test
    void whatIsNoJsonIsToldWithItsPlaceToo() {
        assertThatThrownBy(() -> read("{\"profiles\": {\n broken"))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageContaining("line 2");
    }
}
