package dev.execserver.server.config;

import static java.util.stream.Collectors.joining;

import dev.execserver.cli.local.Durations;
import dev.execserver.cli.local.LocalFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Text form of an option's value. Parsing returns empty for a text that does not match {@link #expectation()}. */
public sealed interface ValueType<T>
        permits ValueType.Text,
                ValueType.File,
                ValueType.Files,
                ValueType.Count,
                ValueType.Size,
                ValueType.Time,
                ValueType.Names,
                ValueType.Choice,
                ValueType.Switch,
                McpForm.Word,
                LimitValues,
                LocalValues.Urls,
                LocalValues.Mode,
                LocalValues.Uids {
    Optional<T> parse(String text);

    String format(T value);

    /** Returns the words that complete "give ...". */
    String expectation();

    /** Returns true if the command line may name the option without a value. */
    default boolean flag() {
        return false;
    }

    /** Returns the text between values of an option that the command line may name several times. */
    default Optional<String> separator() {
        return Optional.empty();
    }

    record Text() implements ValueType<String> {
        @Override
        public Optional<String> parse(String text) {
            return text.isEmpty() ? Optional.empty() : Optional.of(text);
        }

        @Override
        public String format(String value) {
            return value;
        }

        @Override
        public String expectation() {
            return "a text that is not empty";
        }
    }

    record File() implements ValueType<Path> {
        @Override
        public Optional<Path> parse(String text) {
            return text.isEmpty() || text.indexOf('\0') >= 0 ? Optional.empty() : Optional.of(LocalFile.of(text));
        }

        @Override
        public String format(Path value) {
            return value.toString();
        }

        @Override
        public String expectation() {
            return "a path";
        }
    }

    /** Paths with colons between them, as in PATH. The command line may name the option once for each. */
    record Files() implements ValueType<List<Path>> {
        static final String SEPARATOR = ":";

        @Override
        public Optional<List<Path>> parse(String text) {
            File one = new File();
            List<Optional<Path>> paths =
                    Arrays.stream(text.split(SEPARATOR, -1)).map(one::parse).toList();
            return paths.stream().allMatch(Optional::isPresent)
                    ? Optional.of(paths.stream().flatMap(Optional::stream).toList())
                    : Optional.empty();
        }

        @Override
        public String format(List<Path> value) {
            return value.stream().map(Path::toString).collect(joining(SEPARATOR));
        }

        @Override
        public String expectation() {
            return "a path, or several with colons between them";
        }

        @Override
        public Optional<String> separator() {
            return Optional.of(SEPARATOR);
        }
    }

    record Count(int min, int max) implements ValueType<Integer> {
        private static final int MAX_DIGITS = 10;

        @Override
        public Optional<Integer> parse(String text) {
            if (!text.matches("[0-9]{1," + MAX_DIGITS + "}")) {
                return Optional.empty();
            }
            long value = Long.parseLong(text);
            return value >= min && value <= max ? Optional.of((int) value) : Optional.empty();
        }

        @Override
        public String format(Integer value) {
            return value.toString();
        }

        @Override
        public String expectation() {
            return "a whole number from %d to %d".formatted(min, max);
        }
    }

    record Size(long min, long max) implements ValueType<Long> {
        @Override
        public Optional<Long> parse(String text) {
            return Sizes.parse(text).filter(bytes -> bytes >= min && bytes <= max);
        }

        @Override
        public String format(Long value) {
            return Sizes.format(value);
        }

        @Override
        public String expectation() {
            return "bytes, or a number with KiB, MiB or GiB, from %s to %s"
                    .formatted(Sizes.format(min), Sizes.format(max));
        }
    }

    record Time(Duration min, Duration max) implements ValueType<Duration> {
        @Override
        public Optional<Duration> parse(String text) {
            return Durations.parse(text).filter(value -> value.compareTo(min) >= 0 && value.compareTo(max) <= 0);
        }

        @Override
        public String format(Duration value) {
            return Durations.format(value);
        }

        @Override
        public String expectation() {
            return "a number with ms, s, m or h, from %s to %s".formatted(Durations.format(min), Durations.format(max));
        }
    }

    /**
     * Names separated by commas, or {@code none}.
     *
     * @param what words that complete "give" in the error for a wrong name
     * @param form of each name
     */
    record Names(String what, Pattern form) implements ValueType<List<String>> {
        private static final String NONE = "none";

        /** Makes the type for names in a Host header, without the port. */
        static Names ofHosts() {
            return new Names("host names without a port", Pattern.compile("[A-Za-z0-9._-]+"));
        }

        /**
         * Makes the type for names that environ(7) allows: any character but the equals sign. Blanks are refused here.
         */
        static Names ofVariables() {
            return new Names("names of environment variables", Pattern.compile("[^=\\s]+"));
        }

        @Override
        public Optional<List<String>> parse(String text) {
            if (text.equals(NONE)) {
                return Optional.of(List.of());
            }
            List<String> names =
                    Arrays.stream(text.split(",", -1)).map(String::strip).toList();
            return names.stream().allMatch(name -> form.matcher(name).matches())
                    ? Optional.of(names)
                    : Optional.empty();
        }

        @Override
        public Optional<String> separator() {
            return Optional.of(",");
        }

        @Override
        public String format(List<String> value) {
            return value.isEmpty() ? NONE : String.join(",", value);
        }

        @Override
        public String expectation() {
            return what + " with commas between them, or none";
        }
    }

    /** Constant of an enum, written in lower case with dashes. */
    record Choice<E extends Enum<E>>(List<E> values) implements ValueType<E> {
        static <E extends Enum<E>> Choice<E> of(Class<E> type) {
            return new Choice<>(List.of(type.getEnumConstants()));
        }

        @Override
        public Optional<E> parse(String text) {
            return values.stream().filter(value -> format(value).equals(text)).findFirst();
        }

        @Override
        public String format(E value) {
            return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        @Override
        public String expectation() {
            return values.stream().map(this::format).collect(joining(", ", "one of ", ""));
        }
    }

    /** On or off. The option alone, without a value, means {@code on}. */
    record Switch() implements ValueType<Boolean> {
        private static final List<String> ON = Arrays.asList("on", "true");
        private static final List<String> OFF = Arrays.asList("off", "false");

        @Override
        public Optional<Boolean> parse(String text) {
            if (ON.contains(text)) {
                return Optional.of(true);
            }
            return OFF.contains(text) ? Optional.of(false) : Optional.empty();
        }

        @Override
        public String format(Boolean value) {
            return value ? "on" : "off";
        }

        @Override
        public String expectation() {
            return "on or off, or true or false";
        }

        @Override
        public boolean flag() {
            return true;
        }
    }
}
