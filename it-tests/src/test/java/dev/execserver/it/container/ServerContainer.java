package dev.execserver.it.container;

import com.github.dockerjava.api.model.DockerObject;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/** The server in a container, its port published on loopback. Without further words it runs as the README's user, all limits open. */
final class ServerContainer extends GenericContainer<ServerContainer> {
    static final String LABEL = "dev.execserver.it";
    static final int PORT = 4000;

    /** The image's own user. */
    static final String USER = "1000:0";

    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    ServerContainer() {
        super(DockerImageName.parse(Images.required()));
        withImagePullPolicy(image -> false);
        withLabel(LABEL, "true");
        withExposedPorts(PORT);
        host(config ->
                config.withPortBindings(new PortBinding(Ports.Binding.bindIp("127.0.0.1"), ExposedPort.tcp(PORT))));
        waitingFor(Wait.forHttp("/readyz").forPort(PORT).withStartupTimeout(START_LIMIT));
    }

    /** With the two security options that the README asks for. */
    static ServerContainer sandboxing() {
        return new ServerContainer().seccomp(Images.dockerFile("seccomp.json")).unmaskedProc();
    }

    ServerContainer host(Consumer<HostConfig> change) {
        return withCreateContainerCmdModifier(
                command -> change.accept(Objects.requireNonNull(command.getHostConfig(), "host config")));
    }

    /** @param profile JSON text, or {@code unconfined} */
    ServerContainer seccomp(String profile) {
        return security("seccomp=" + profile);
    }

    /** Engines whose host has AppArmor confine mounts with it; elsewhere the option is taken and means nothing. */
    ServerContainer security(String option) {
        return host(config -> {
            List<String> before = Optional.ofNullable(config.getSecurityOpts()).orElse(List.of("apparmor=unconfined"));
            config.withSecurityOpts(java.util.stream.Stream.concat(before.stream(), java.util.stream.Stream.of(option))
                    .toList());
        });
    }

    /**
     * What the command line calls {@code systempaths=unconfined}. The client library has no setter for the two members, and hands its map
     * of further values out read-only.
     */
    ServerContainer unmaskedProc() {
        return host(config -> {
            try {
                var values = DockerObject.class.getDeclaredField("rawValues");
                values.setAccessible(true);
                @SuppressWarnings("unchecked")
                Map<String, Object> further = (Map<String, Object>) values.get(config);
                further.put("MaskedPaths", List.of());
                further.put("ReadonlyPaths", List.of());
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    ServerContainer user(String user) {
        return withCreateContainerCmdModifier(command -> command.withUser(user));
    }

    ServerContainer tmpfs(String path, String options) {
        return host(config -> {
            Map<String, String> mounts = new java.util.HashMap<>(
                    Optional.ofNullable(config.getTmpFs()).orElse(Map.of()));
            mounts.put(path, options);
            config.withTmpFs(mounts);
        });
    }

    /** Runs a script as root first, then the server as the image's user without any capability. */
    ServerContainer prepared(String script) {
        return enteredThrough(script
                        + "\nexec setpriv --reuid 1000 --regid 0 --clear-groups --bounding-set -all --inh-caps -all"
                        + " -- exec-server \"$@\"")
                .user("0:0")
                .withEnv("HOME", "/home/exec-server");
    }

    /** Runs a script in place of the server; the script must become the server. */
    ServerContainer enteredThrough(String script) {
        return withCreateContainerCmdModifier(
                command -> command.withEntrypoint("tini", "--", "sh", "-ec", script, "sh"));
    }

    ServerContainer options(String... options) {
        return withCommand(options);
    }

    ServerContainer started() {
        start();
        return this;
    }

    /** The port on this side. It changes when the container is started again, so it is asked for each time. */
    int port() {
        var bindings = getDockerClient()
                .inspectContainerCmd(getContainerId())
                .exec()
                .getNetworkSettings()
                .getPorts()
                .getBindings();
        return Integer.parseInt(bindings.get(ExposedPort.tcp(PORT))[0].getHostPortSpec());
    }

    /** A client that has done the handshake. */
    WireClient client() {
        WireClient client = WireClient.connect(port());
        client.handshake();
        return client;
    }

    /** What a shell in the container prints, both streams; the server knows nothing of it. */
    String shell(String script) {
        try {
            ExecResult result = execInContainer("sh", "-c", script);
            return result.getStdout() + result.getStderr();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("test interrupted", e);
        }
    }
}
