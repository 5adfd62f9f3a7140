package dev.execserver.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.cli.local.Durations;
import dev.execserver.protocol.text.VisibleText;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {
    static List<Option<?>> allOptions() {
        return Options.ALL;
    }

    @Test
    void everyConstantIsInTheTableOnce() throws IllegalAccessException {
        Set<Option<?>> constants = new HashSet<>();
        for (var field : Options.class.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType().equals(Option.class)) {
                Option<?> option = (Option<?>) field.get(null);
                assertThat(option.environmentName()).isEqualTo("EXEC_SERVER_" + field.getName());
                constants.add(option);
            }
        }

        assertThat(Options.ALL).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(constants);
    }

    @ParameterizedTest
    @MethodSource("allOptions")
    void aDefaultIsAValueThatTheOptionAccepts(Option<?> option) {
        assertDefaultRoundTrips(option);
    }

    private static <T> void assertDefaultRoundTrips(Option<T> option) {
        option.defaultValue()
                .ifPresent(value -> assertThat(option.type().parse(option.type().format(value)))
                        .contains(value));
    }

    @ParameterizedTest
    @MethodSource("badValues")
    void everyBadValueIsRefusedWithItsOption(Option<?> option, String value) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigLoader.load(Map.of(option, value), Map.of()))
                .withMessage(VisibleText.oneLine("invalid value `%s` for %s (from the command line); give %s"
                        .formatted(value, option.longName(), option.type().expectation())))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(ConfigException.Kind.USAGE));
    }

    static Stream<Object[]> badValues() {
        return Options.ALL.stream().flatMap(option -> badValues(option.type()).map(bad -> new Object[] {option, bad}));
    }

    private static Stream<String> badValues(ValueType<?> type) {
        return switch (type) {
            case ValueType.Text _ -> Stream.of("");
            case ValueType.File _ -> Stream.of("", "a\0b");
            case ValueType.Files _ -> Stream.of("", ":", "a:", "a::b", "a\0b");
            case ValueType.Count count ->
                Stream.of("", "x", "-1", "+1", "1.5", "1e3", "0x1", " 1", "99999999999", count.max() + 1L + "");
            case ValueType.Size size ->
                Stream.of(
                        "",
                        "x",
                        "-1",
                        size.min() > 1 ? "1" : "one",
                        "1MB",
                        "1mib",
                        "1 MiB",
                        "1.5MiB",
                        "MiB",
                        "1TiB",
                        "99999999999999999GiB");
            case ValueType.Time _ ->
                Stream.of("", "x", "-1s", "5", "5 s", "1.5s", "s", "1d", "1S", "999999999999999999h");
            case ValueType.Choice<?> _ -> Stream.of("", "nonsense", "STRICT", "open ");
            case ValueType.Names _ -> Stream.of("", ",", "a,", "a,,b", "a b");
            case ValueType.Switch _ -> Stream.of("", "yes", "ON", "1");
            case LimitValues _ -> Stream.of("", ",", "pids", "pids=", "pids=0", "pids=1,", "pid=1", "memoryBytes=1");
            case McpForm.Word _ -> Stream.of("", "0.98", "OWN", "97");
            case LocalValues.Urls _ -> Stream.of("");
            case LocalValues.Mode _ -> Stream.of("", "8", "0999", "rw", "01777");
            case LocalValues.Uids _ -> Stream.of("", ",", "1,", "-1", "me");
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1000001"})
    void concurrentRequestsIsAtLeastOne(String value) {
        assertThat(Options.CONCURRENT_REQUESTS.type().parse(value)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"65536, 65536", "64KiB, 65536", "1MiB, 1048576", "4GiB, 4294967296", "000001KiB, 1024", "0, 0"})
    void readsSizes(String text, long bytes) {
        assertThat(Sizes.parse(text)).contains(bytes);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "1023, 1023", "1024, 1KiB", "1536, 1536", "1048576, 1MiB", "4294967296, 4GiB"})
    void writesSizes(long bytes, String text) {
        assertThat(Sizes.format(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0s, 0", "250ms, 250", "80s, 80000", "10m, 600000", "24h, 86400000"})
    void readsDurations(String text, long millis) {
        assertThat(Durations.parse(text)).contains(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 1ms",
        "1500, 1500ms",
        "80000, 80s",
        "120000, 120s",
        "121000, 121s",
        "600000, 10m",
        "86400000, 24h"
    })
    void writesDurations(long millis, String text) {
        assertThat(Durations.format(Duration.ofMillis(millis))).isEqualTo(text);
    }

    @Test
    void memoryForRequestsFitsTheHeap() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigLoader.load(Map.of(Options.REQUEST_MEMORY_BYTES, "900GiB"), Map.of()))
                .withMessageStartingWith(
                        "--request-memory-bytes, 900GiB (from the command line), must not exceed the heap, ")
                .satisfies(e -> assertThat(e.kind()).isEqualTo(ConfigException.Kind.USAGE));
    }

    @ParameterizedTest
    @CsvSource({
        "max-proceses, max-processes",
        "listne, listen",
        "ws-token-fle, ws-token-file",
        "bogus, ''",
        "port, ''",
        "'', ''"
    })
    void findsWhatSomebodyMayHaveMeant(String written, String meant) {
        List<String> names = Options.ALL.stream().map(Option::propertyName).toList();

        assertThat(SpellingHint.nearest(written, names).orElse("")).isEqualTo(meant);
    }

    @Test
    void namesAreTheSameEverywhere() {
        assertThat(Options.MAX_IN_FLIGHT_BYTES.longName()).isEqualTo("--max-in-flight-bytes");
        assertThat(Options.MAX_IN_FLIGHT_BYTES.environmentName()).isEqualTo("EXEC_SERVER_MAX_IN_FLIGHT_BYTES");
        assertThat(Options.MAX_IN_FLIGHT_BYTES.propertyName()).isEqualTo("max-in-flight-bytes");
        assertThat(Options.MAX_IN_FLIGHT_BYTES.defaultValue()).isEqualTo(Optional.of(256L << 20));
    }

    @Test
    void theRecordsCheckTheirRangesForEmbeddingPrograms() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> Limits.DEFAULTS.withMaxSessions(0))
                .withMessage("maxSessions must be from 1 to 1000000: 0");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> Timing.DEFAULTS.withSessionTtl(Duration.ofHours(2), Duration.ofHours(1)))
                .withMessage("sessionTtl must be from 0 to 1h: 2h");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> Timing.DEFAULTS.withKeepAlive(Duration.ZERO, Duration.ofSeconds(1)))
                .withMessage("peerTimeout must be 0 or longer than pingInterval (0), which must not be 0 then: 1s");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> Retention.DEFAULTS.withOutputBytes(20 << 20, 19 << 20));
    }
}
