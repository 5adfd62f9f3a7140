package dev.execserver.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.client.ClientOptions;
import dev.execserver.client.ExecServerClient;
import dev.execserver.client.error.ConnectFailedException;
import dev.execserver.client.process.Outcome;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;
import dev.execserver.server.config.ConfigLoader;
import dev.execserver.server.config.Option;
import dev.execserver.server.config.Options;
import dev.execserver.server.config.ServerConfig;
import dev.execserver.server.config.ValueType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every number, size and time in the table of options at its smallest and its largest value: the server works with it,
 * or refuses it by name.
 */
@Timeout(60)
class OptionExtremesTest {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LIMIT = Duration.ofSeconds(40);

    static Stream<Arguments> extremes() {
        return Options.ALL.stream()
                .flatMap(option -> values(option).map(value -> Arguments.of("--" + option.name(), value, option)));
    }

    private static Stream<String> values(Option<?> option) {
        return switch (option.type()) {
            case ValueType.Count(int min, int max) -> Stream.of(min, max).map(String::valueOf);
            case ValueType.Size type -> Stream.of(type.min(), type.max()).map(type::format);
            case ValueType.Time type ->
                Stream.of(type.min(), type.min().isZero() ? SHORTEST : type.min(), type.max())
                        .distinct()
                        .map(type::format);
            case ValueType.Switch _, ValueType.Text _, ValueType.File _ -> Stream.of();
            case ValueType.Choice<?> _, ValueType.Names _, ValueType.Files _ -> Stream.of();
            default -> Stream.of(); // those of addresses, which have no extremes
        };
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("extremes")
    void c110_theServerWorksWithItOrRefusesIt(String name, String value, Option<?> option) throws Exception {
        Map<Option<?>, String> given = new HashMap<>(Map.of(Options.LISTEN, "ws://127.0.0.1:0"));
        given.put(option, value);
        ServerConfig config;
        try {
            config = ConfigLoader.load(given, Map.of()).server();
        } catch (ConfigException e) {
            assertThat(e.getMessage()).containsAnyOf(name, "websocket auth flags require `--ws-auth");
            return;
        }
        try (ExecServer server = ExecServer.start(config);
                ExecServerClient client = connected(server.url());
                RemoteProcess process = client.start(ProcessSpec.of("sh", "-c", "echo out; exit 3"))) {
            assertThat(new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("out\n");
            assertThat(process.waitFor()).isEqualTo(new Outcome.Exited(3, Optional.empty()));
        }
    }

    /** With the shortest times a connection is given up when the machine is busy, as is documented. Then another one is made. */
    private static ExecServerClient connected(String url) {
        return await().atMost(LIMIT)
                .ignoreExceptionsInstanceOf(ConnectFailedException.class)
                .until(() -> ExecServerClient.connect(ClientOptions.url(url).build()), Objects::nonNull);
    }
}
