package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.Answer;
import dev.execserver.it.support.ForwardProxy;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ManagedNetwork;
import dev.execserver.it.support.RawHttpServer;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ways past the proxy, each tried from inside a sandbox whose only network is that proxy. */
@Timeout(120)
class ManagedNetworkEscapeIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String PERL = "perl -MSocket=:all -e '$!=0; %s; print \"fail: $!\\n\"'";

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private static ForwardProxy proxy;
    private static RawHttpServer host;

    @TempDir
    private Path workspace;

    @BeforeAll
    static void listen() {
        proxy = ForwardProxy.on("127.0.0.1");
        host = RawHttpServer.answering(
                (request, out) -> out.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi".getBytes(UTF_8)));
    }

    @AfterAll
    static void close() {
        proxy.close();
        host.close();
    }

    private String output(Start start) {
        RemoteProcess process = SERVER.client().start(start);
        process.closed(LIMIT);
        return new String(process.events().output(), UTF_8);
    }

    private String inside(String script) {
        return output(ManagedNetwork.shell(script, workspace, proxy.url()));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            raw IPv4                  | socket(S,2,3,1)                                                       | Operation not permitted
            raw IPv6                  | socket(S,10,3,58)                                                     | Operation not permitted
            packets                   | socket(S,17,3,768)                                                    | Operation not permitted
            netlink                   | socket(S,16,3,0)                                                      | Operation not permitted
            vsock                     | socket(S,40,1,0)                                                      | Operation not permitted
            Bluetooth                 | socket(S,31,3,1)                                                      | Operation not permitted
            Unix stream               | socket(S,1,1,0)                                                       | Operation not permitted
            Unix datagram pair        | socketpair(A,B,1,2,0)                                                 | Operation not permitted
            Unix datagram             | socket(S,1,2,0)                                                       | Operation not permitted
            io_uring                  | syscall(425,1,0)                                                      | Operation not permitted
            new namespace             | syscall(272,0x40000000)                                               | Operation not permitted
            TCP over IPv4             | socket(S,2,1,0); connect(S,pack_sockaddr_in(80,inet_aton("192.0.2.1"))) | Network is unreachable
            TCP over IPv6             | socket(S,10,1,0); connect(S,pack_sockaddr_in6(80,inet_pton(10,"2001:db8::1"))) | Network is unreachable
            UDP over IPv4             | socket(S,2,2,0); send(S,"x",0,pack_sockaddr_in(53,inet_aton("192.0.2.1"))) | Network is unreachable
            UDP over IPv6             | socket(S,10,2,0); send(S,"x",0,pack_sockaddr_in6(53,inet_pton(10,"2001:db8::1"))) | Network is unreachable
            link-local metadata       | socket(S,2,1,0); connect(S,pack_sockaddr_in(80,inet_aton("169.254.169.254"))) | Network is unreachable
            a private network         | socket(S,2,1,0); connect(S,pack_sockaddr_in(80,inet_aton("10.0.0.1"))) | Network is unreachable
            broadcast                 | socket(S,2,2,0); setsockopt(S,1,6,1); send(S,"x",0,pack_sockaddr_in(9,inet_aton("255.255.255.255"))) | Network is unreachable
            multicast                 | socket(S,2,2,0); send(S,"x",0,pack_sockaddr_in(9,inet_aton("224.0.0.1"))) | Network is unreachable
            another loopback port     | socket(S,2,1,0); connect(S,pack_sockaddr_in(9,inet_aton("127.0.0.1"))) | Connection refused
            loopback over IPv6        | socket(S,10,1,0); connect(S,pack_sockaddr_in6(61001,inet_pton(10,"::1"))) | Connection refused
            """)
    void socketsLeadNowhere(String what, String attempt, String expected) {
        assertThat(inside(PERL.formatted(attempt))).isEqualTo("fail: " + expected + "\n");
    }

    @Test
    void noServerOfTheHostAndNoProxyIsReachedDirectly() {
        for (int port : new int[] {host.port(), proxy.port(), SERVER.port()}) {
            assertThat(inside("exec 3<>/dev/tcp/127.0.0.1/" + port)).contains("Connection refused");
            assertThat(inside("exec 3<>/dev/tcp/::1/" + port)).contains("Connection refused");
        }
        assertThat(inside("exec 3<>/dev/tcp/192.0.2.1/80")).contains("Network is unreachable");
        assertThat(inside("exec 3<>/dev/udp/192.0.2.1/53")).contains("Network is unreachable");
    }

    @Test
    void noNameIsResolved() {
        assertThat(inside("getent hosts example.com || echo none; exec 3<>/dev/tcp/example.com/80"))
                .startsWith("none\n")
                .containsAnyOf("Temporary failure in name resolution", "Name or service not known");
    }

    @Test
    void neitherPathsNorAbstractNamesOfUnixSocketsAreReached() throws IOException {
        Path path = workspace.resolve("socket");
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(path));
            String attempt = "socket(S,1,1,0) and connect(S,pack_sockaddr_un(\"%s\"))";
            assertThat(inside(PERL.formatted(attempt.formatted(path)))).contains("Operation not permitted");
            assertThat(inside(PERL.formatted(attempt.formatted("\\0abstract")))).contains("Operation not permitted");
        }
    }

    @Test
    @DisplayName("B38: socket pairs work under the proxy's filter")
    void socketPairsWork() {
        assertThat(
                        inside(
                                "perl -MSocket -e 'socketpair(A,B,1,1,0) or die \"$!\"; send(A,\"hey\",0); recv(B,$x,3,0); print $x'"))
                .isEqualTo("hey");
    }

    @Test
    void theProxyIsReachedAndNothingElseIsInTheNamespace() {
        String out = inside("tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '; echo $http_proxy;"
                + " exec 3<>/dev/tcp/127.0.0.1/61001; printf 'GET http://nowhere.test:" + host.port()
                + "/ HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n' >&3; head -1 <&3");
        assertThat(out).isEqualTo("lo\nhttp://127.0.0.1:61001\nHTTP/1.1 200 OK\r\n");
        assertThat(proxy.requests()).contains("GET http://nowhere.test:" + host.port() + "/");
    }

    @ParameterizedTest(name = "HTTP_PROXY={0}")
    @CsvSource({
        "'', requires proxy environment variables",
        "not a url, requires parseable loopback proxy endpoints",
        "http://127.0.0.1:0, has port 0",
        "http://192.0.2.1:3128, requires parseable loopback proxy endpoints",
    })
    void withoutAUsableProxyNothingIsStarted(String value, String message) {
        Start start =
                ManagedNetwork.confined(Start.shell("touch started"), workspace).env("HTTP_PROXY", value);
        Answer answer = SERVER.client().sendStart(start).started();
        assertThat(answer.errorCode()).isEqualTo(-32602);
        assertThat(answer.errorMessage())
                .startsWith("failed to prepare process sandbox: ")
                .contains(message);
        assertThat(workspace).isEmptyDirectory();
    }

    @Test
    void withoutASandboxThereIsNoManagedNetwork() {
        Answer answer = SERVER.client()
                .sendStart(Start.shell("true").env("HTTP_PROXY", proxy.url()).with("enforceManagedNetwork", true))
                .started();
        assertThat(answer.errorMessage()).contains("needs a `sandbox`");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"type\":\"disabled\"}",
                "{\"type\":\"external\",\"network\":\"enabled\"}",
                "{\"type\":\"managed\",\"file_system\":{\"type\":\"unrestricted\"},\"network\":\"enabled\"}"
            })
    void aProfileThatAllowsTheNetworkDoesNotOpenIt(String profile) {
        Start start = ManagedNetwork.shell("exec 3<>/dev/tcp/127.0.0.1/" + host.port(), workspace, proxy.url())
                .with("sandbox", Json.object("permissions", Json.parse(profile), "windowsSandboxLevel", "disabled"));
        assertThat(output(start)).contains("Connection refused");
    }

    @Test
    void landlockIsRefused() {
        Start start = ManagedNetwork.shell("true", workspace, proxy.url());
        Answer answer = SERVER.client()
                .sendStart(start.with(
                        "sandbox",
                        Json.object(
                                "permissions",
                                Json.parse("{\"type\":\"disabled\"}"),
                                "windowsSandboxLevel",
                                "disabled",
                                "useLegacyLandlock",
                                true)))
                .started();
        assertThat(answer.errorMessage()).contains("managed network needs a network namespace");
    }
}
