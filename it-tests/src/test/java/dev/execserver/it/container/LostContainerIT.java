package dev.execserver.it.container;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.dockerjava.api.model.ContainerNetwork;
import com.github.dockerjava.api.model.Network.Ipam;
import dev.execserver.client.ClientOptions;
import dev.execserver.client.ExecServerClient;
import dev.execserver.client.error.SessionLostException;
import dev.execserver.client.process.Outcome;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.testcontainers.containers.Network;

/**
 * A container that cannot be reached for a while, that is frozen, that is killed. The client reaches it by an address of its own: a
 * published port would be answered by the engine in between.
 */
@Timeout(180)
class LostContainerIT {
    private static final String SUBNET = "10.213.77.0/24";
    private static final String ADDRESS = "10.213.77.7";
    private static final int LINES = 80;

    /** More than a client takes to notice that nothing comes any more. */
    private static final int LINES_BEFORE_THE_RETURN = 50;

    private static final String EVERY_LINE =
            IntStream.rangeClosed(1, LINES).mapToObj(i -> "line " + i + "\n").collect(Collectors.joining());

    private final List<AutoCloseable> opened = new ArrayList<>();
    private Network network;
    private ServerContainer server;
    private ExecServerClient client;

    @BeforeEach
    void connect() throws InterruptedException {
        String _ = Images.required();
        network = Network.builder()
                .createNetworkCmdModifier(command -> command.withLabels(Map.of(ServerContainer.LABEL, "true"))
                        .withIpam(new Ipam().withConfig(new Ipam.Config().withSubnet(SUBNET))))
                .build();
        opened.add(network);
        server = ServerContainer.sandboxing()
                .withNetwork(network)
                .withCreateContainerCmdModifier(command -> command.withIpv4Address(ADDRESS));
        opened.add(server);
        server.start();
        client = connected();
    }

    private ExecServerClient connected() throws InterruptedException {
        ExecServerClient fresh =
                ExecServerClient.connect(ClientOptions.url("ws://" + ADDRESS + ":" + ServerContainer.PORT)
                        .pingInterval(Duration.ofSeconds(1))
                        .requestTimeout(Duration.ofSeconds(3))
                        .build());
        opened.add(fresh);
        return fresh;
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable part : opened.reversed()) {
            part.close();
        }
    }

    /** A program that says a line every tenth of a second and notes how far it is. */
    private RemoteProcess counting() throws InterruptedException, IOException {
        RemoteProcess process = client.start(ProcessSpec.of(
                        "bash",
                        "-c",
                        "for i in $(seq " + LINES + "); do echo line $i; echo $i > /workspace/count; sleep 0.1; done")
                .cwd("/workspace"));
        assertThat(process.stdout().readNBytes("line 1\n".length())).isEqualTo("line 1\n".getBytes(UTF_8));
        return process;
    }

    private int count() {
        return Integer.parseInt("0" + server.shell("cat /workspace/count").strip());
    }

    private static void askWhetherReady() throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            http.send(
                    HttpRequest.newBuilder(URI.create("http://" + ADDRESS + ":" + ServerContainer.PORT + "/readyz"))
                            .timeout(Duration.ofSeconds(3))
                            .build(),
                    HttpResponse.BodyHandlers.discarding());
        }
    }

    private static void provesEveryLine(RemoteProcess process) throws IOException, InterruptedException {
        String rest = new String(process.stdout().readAllBytes(), UTF_8);
        assertThat("line 1\n" + rest).isEqualTo(EVERY_LINE);
        process.waitFor();
        assertThat(process.exitCode()).hasValue(0);
    }

    @Test
    @DisplayName("B22, B27: after a partition the session goes on with every byte")
    void partition() throws InterruptedException, IOException {
        RemoteProcess process = counting();
        server.getDockerClient()
                .disconnectFromNetworkCmd()
                .withContainerId(server.getContainerId())
                .withNetworkId(network.getId())
                .exec();
        await().atMost(Duration.ofSeconds(60)).until(() -> count() >= LINES_BEFORE_THE_RETURN);
        server.getDockerClient()
                .connectToNetworkCmd()
                .withContainerId(server.getContainerId())
                .withNetworkId(network.getId())
                .withContainerNetwork(
                        new ContainerNetwork().withIpamConfig(new ContainerNetwork.Ipam().withIpv4Address(ADDRESS)))
                .exec();

        provesEveryLine(process);
        assertThat(client.environment().status()).isNotNull();
    }

    @Test
    void pause() throws InterruptedException, IOException {
        RemoteProcess process = counting();
        server.getDockerClient().pauseContainerCmd(server.getContainerId()).exec();
        try {
            assertThatThrownBy(LostContainerIT::askWhetherReady).isInstanceOf(HttpTimeoutException.class);
        } finally {
            server.getDockerClient()
                    .unpauseContainerCmd(server.getContainerId())
                    .exec();
        }

        provesEveryLine(process);
    }

    @Test
    void killAndRestart() throws InterruptedException, IOException {
        RemoteProcess process = counting();
        String session = client.sessionId().orElseThrow();
        server.getDockerClient()
                .killContainerCmd(server.getContainerId())
                .withSignal("KILL")
                .exec();
        await().atMost(Session.LIMIT).until(() -> !server.isRunning());
        server.getDockerClient().startContainerCmd(server.getContainerId()).exec();

        assertThat(process.waitFor())
                .isInstanceOfSatisfying(
                        Outcome.Lost.class, lost -> assertThat(lost.reason()).contains(session));
        assertThatThrownBy(() -> client.environment().status()).isInstanceOf(SessionLostException.class);
        client.close();
        client = connected();
        assertThat(client.list()).isEmpty();
        assertThat(server.shell("ps -eo comm=")).doesNotContain("sleep");
        provesEveryLine(counting());
    }
}
