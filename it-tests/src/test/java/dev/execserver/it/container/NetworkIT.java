package dev.execserver.it.container;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.Network.Ipam;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ProxyConfig;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.Start;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.testcontainers.containers.Network;
import org.testcontainers.images.builder.Transferable;

/** The proxy of a process, the bridge to a proxy, and both together, inside of a container, whoever the server is there. */
@Timeout(180)
class NetworkIT {
    /** An HTTP server, and a git repository with one branch, in the words of perl(1); prints its port. */
    private static final String WEB_SERVER = """
            use IO::Socket::INET;
            my $listener = IO::Socket::INET->new(LocalAddr => "0.0.0.0", Listen => 50) or die "$!";
            $| = 1;
            print $listener->sockport, "\\n";
            while (my $client = $listener->accept) {
              my $line = <$client>;
              while (defined(my $field = <$client>)) { last if $field eq "\\r\\n" }
              my $body = $line =~ m{/info/refs} ? "1" x 40 . "\\trefs/heads/main\\n" : "hello";
              print $client "HTTP/1.1 200 OK\\r\\nConnection: close\\r\\nContent-Length: ", length $body, "\\r\\n\\r\\n$body";
              close $client;
            }
            """;

    /** {@code get HOST:PORT} through the HTTP proxy of the variables: the status and the last line of the answer. */
    private static final String GET = """
            exec 2>&1
            get() {
              exec 3<>/dev/tcp/127.0.0.1/${HTTP_PROXY##*:} || return
              printf 'GET http://%s/ HTTP/1.1\\r\\nHost: %s\\r\\nConnection: close\\r\\n\\r\\n' $1 $1 >&3
              read -r version status rest <&3; echo $status; exec 3>&-
            }
            """;

    private static final String NO_OTHER_WAY =
            "(exec 4<>/dev/tcp/127.0.0.1/PORT) 2>/dev/null && echo direct || echo refused\n"
                    + "(exec 4<>/dev/tcp/192.0.2.1/80) 2>&1 | grep -m 1 -o 'Network is unreachable'\n"
                    + "perl -MSocket=:all -e 'socket(S,1,1,0) or print \"$!\\n\"'\n";

    private static final String NO_OTHER_WAY_SEEN = "refused\nNetwork is unreachable\nOperation not permitted\n";

    /** Who the server is, and what it may. */
    enum Variant {
        ORDINARY_USER(server -> server),
        ROOT(server -> server.user("0:0")),
        RANDOM_USER(server -> server.user("54321:54321").tmpfs("/workspace", "rw,uid=54321")),
        NO_NEW_PRIVILEGES(
                server -> server.security("no-new-privileges").host(config -> config.withCapDrop(Capability.ALL)));

        private final UnaryOperator<ServerContainer> change;

        Variant(UnaryOperator<ServerContainer> change) {
            this.change = change;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    private static String webServer(Session session) {
        RemoteProcess process =
                session.client().start(Start.of("perl", "-e", WEB_SERVER).with("cwd", "file://" + Policies.WORKSPACE));
        return process.awaitText("\n").strip();
    }

    private static Start bash(String script) {
        return Start.bash(script).with("cwd", "file://" + Policies.WORKSPACE).env("HOME", "/tmp");
    }

    private static Start confined(String script) {
        return bash(script).with("sandbox", Policies.workspaceWrite()).with("enforceManagedNetwork", true);
    }

    private static Start proxied(Start start, ProxyConfig config) {
        return start.with("networkProxy", config.json());
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void proxyBridgeAndBoth(Variant variant) {
        try (ServerContainer server =
                        variant.change.apply(ServerContainer.sandboxing()).started();
                Session session = Session.with(server)) {
            String port = webServer(session);
            String fetch = GET + "get 127.0.0.1:" + port + "; get denied.example:80\n";
            String git = "git ls-remote http://127.0.0.1:" + port + "/r.git | cut -f 2\n";
            ProxyConfig config = ProxyConfig.allowing("127.0.0.1");

            assertThat(session.run(proxied(bash(fetch + git), config)).text())
                    .as("proxy")
                    .isEqualTo("200\n403\nrefs/heads/main\n");
            assertThat(session.run(proxied(confined(fetch + git + NO_OTHER_WAY.replace("PORT", port)), config)))
                    .as("proxy behind a bridge")
                    .satisfies(ran -> {
                        assertThat(ran.text()).isEqualTo("200\n403\nrefs/heads/main\n" + NO_OTHER_WAY_SEEN);
                        assertThat(ran.backend()).isEqualTo("bubblewrap");
                    });
            assertThat(session.run(confined(GET + "get some.test:80\n" + NO_OTHER_WAY.replace("PORT", port))
                                    .env("HTTP_PROXY", "http://127.0.0.1:" + port))
                            .text())
                    .as("bridge to another proxy")
                    .isEqualTo("200\n" + NO_OTHER_WAY_SEEN);
            assertThat(server.getLogs()).doesNotContain("ERROR");
        }
    }

    /** {@code get HOST PORT} without any proxy: the status of the answer. */
    private static final String PLAIN_GET = """
            get() {
              exec 3<>/dev/tcp/$1/$2 || return
              printf 'GET / HTTP/1.1\\r\\n\\r\\n' >&3
              read -r version status rest <&3; echo $status; exec 3>&-
            }
            """;

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void programsThatKnowNoProxyReachWhatIsAllowedAndNothingElse(Variant variant) {
        try (ServerContainer server = variant.change
                        .apply(ServerContainer.sandboxing())
                        .withCopyToContainer(Transferable.of("127.0.0.1 db.test\n"), "/hosts")
                        .withEnv("EXEC_SERVER_JAVA_OPTS", "-Djdk.net.hosts.file=/hosts")
                        .started();
                Session session = Session.with(server)) {
            assertThat(transparentTcp(session)).isTrue();
            String port = webServer(session);
            ProxyConfig config = ProxyConfig.allowing("db.test", "127.0.0.1:" + port);
            String script = PLAIN_GET + "get db.test " + port + "; get 127.0.0.1 " + port + "\n"
                    + "(get 192.0.2.1 80) 2>&1 | grep -m 1 -o 'Permission denied'\n"
                    + "(get denied.test 80) 2>&1 | grep -m 1 -o 'not known'\n";
            Start start = confined(script).env("LANG", "C");

            assertThat(session.run(proxied(start, config.with("transparentTcp", true))))
                    .satisfies(ran -> {
                        assertThat(ran.text()).isEqualTo("200\n200\nPermission denied\nnot known\n");
                        assertThat(ran.backend()).isEqualTo("bubblewrap");
                    });
        }
    }

    @Test
    void withTheProfileOfTheEngineProgramsThatKnowNoProxyAreNotServedAndAStartSaysWhy() {
        try (ServerContainer server = new ServerContainer().started();
                Session session = Session.with(server)) {
            assertThat(transparentTcp(session)).isFalse();
            ProxyConfig config = ProxyConfig.nothing().with("transparentTcp", true);

            Answer answer = session.client()
                    .sendStart(proxied(confined("true"), config))
                    .started();

            assertThat(answer.errorCode()).isEqualTo(-32602);
            assertThat(answer.errorMessage())
                    .startsWith("transparent TCP is not possible on this machine: ")
                    .contains(session.finding("exec interception").result());
        }
    }

    private static boolean transparentTcp(Session session) {
        return session.call("environment/info", Json.object())
                .result()
                .at("/capabilities/networkProxyTransparentTcp")
                .booleanValue();
    }

    /** A network with addresses of the Internet, as a machine in a data centre has them. */
    @Test
    void aPublicAddressOfTheMachineItselfIsNoMoreOpenThanItsOthers() {
        String _ = Images.required();
        try (Network network = Network.builder()
                        .createNetworkCmdModifier(command -> command.withLabels(Map.of(ServerContainer.LABEL, "true"))
                                .withIpam(new Ipam().withConfig(new Ipam.Config().withSubnet("192.31.196.0/24"))))
                        .build();
                ServerContainer server =
                        ServerContainer.sandboxing().withNetwork(network).started();
                Session session = Session.with(server)) {
            String port = webServer(session);
            String own = server.shell("hostname -i").strip();
            assertThat(own).startsWith("192.31.196.");
            String get = GET + "get " + own + ":" + port + "\n";
            assertThat(session.run(proxied(bash(get), ProxyConfig.allowing("*")))
                            .text())
                    .isEqualTo("403\n");
            assertThat(session.run(proxied(bash(get), ProxyConfig.allowing(own)))
                            .text())
                    .isEqualTo("200\n");
        }
    }
}
