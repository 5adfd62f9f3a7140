package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.client.ClientOptions;
import dev.execserver.client.ExecServerClient;
import dev.execserver.client.network.NetworkPolicy;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;
import dev.execserver.it.support.RawHttpServer;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.protocol.net.DomainRule;
import dev.execserver.protocol.net.NetworkProxyConfig;
import dev.execserver.protocol.net.NetworkProxySettings;
import dev.execserver.protocol.net.PolicyAnswer;
import dev.execserver.protocol.net.PolicyDecision;
import dev.execserver.protocol.net.PolicyRequest;
import dev.execserver.protocol.net.ProxyMode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Network proxies of processes through the Java client. */
@Timeout(60)
class ClientNetworkIT {

    private static NetworkProxyConfig reviewing(String host) {
        NetworkProxySettings settings = new NetworkProxySettings(
                true,
                true,
                false,
                false,
                false,
                ProxyMode.FULL,
                false,
                Map.of(host, DomainRule.ALLOW),
                Map.of(),
                List.of(host),
                Optional.empty(),
                false);
        return new NetworkProxyConfig(
                settings, Optional.empty(), Optional.empty(), Optional.empty(), OptionalLong.of(30_000));
    }

    private static String run(ExecServerClient client, String url) throws Exception {
        ProcessSpec spec =
                ProcessSpec.of("curl", "-s", "-w", " %{http_code}", url).networkProxy(reviewing("127.0.0.1"));
        try (RemoteProcess process = client.start(spec)) {
            return new String(process.stdout().readAllBytes(), UTF_8);
        }
    }

    @Test
    void aPolicyIsAskedAndToldAndWithoutOneTheAnswerIsNo() throws Exception {
        List<PolicyRequest> asked = new CopyOnWriteArrayList<>();
        List<PolicyDecision> decisions = new CopyOnWriteArrayList<>();
        NetworkPolicy policy = new NetworkPolicy() {
            @Override
            public PolicyAnswer decide(PolicyRequest request) {
                asked.add(request);
                if (asked.size() == 2) {
                    throw new IllegalStateException("a bug of the policy");
                }
                return new PolicyAnswer.Allow();
            }

            @Override
            public void decided(PolicyDecision decision) {
                decisions.add(decision);
            }
        };
        try (ServerProcess server = ServerProcess.listening();
                RawHttpServer http = RawHttpServer.answering((request, out) -> {
                    out.write(RawHttpServer.ok("hello"));
                    throw new IOException("closed");
                })) {
            String url = server.url().toString();
            try (ExecServerClient client = ExecServerClient.connect(
                    ClientOptions.url(url).networkPolicy(policy).build())) {
                assertThat(run(client, http.url("/"))).isEqualTo("hello 200");
                assertThat(run(client, http.url("/"))).endsWith(" 403");
            }
            try (ExecServerClient client =
                    ExecServerClient.connect(ClientOptions.url(url).build())) {
                assertThat(run(client, http.url("/"))).endsWith(" 403");
            }
            await().until(() -> decisions.size() == 2);
            assertThat(asked).extracting(PolicyRequest::host).containsExactly("127.0.0.1", "127.0.0.1");
            assertThat(decisions).extracting(PolicyDecision::decision).containsExactly("allow", "deny");
        }
    }
}
