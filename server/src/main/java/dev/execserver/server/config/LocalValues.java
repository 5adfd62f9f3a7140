package dev.execserver.server.config;

import static java.util.stream.Collectors.joining;

import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Text forms of addresses, and of the access to Unix sockets. */
final class LocalValues {
    private static final String COMMA = ",";

    private LocalValues() {}

    /** URLs with commas between them. Reading them is left to {@link ListenUrl}, whose errors launchers know. */
    record Urls() implements ValueType<List<String>> {
        @Override
        public Optional<List<String>> parse(String text) {
            return text.isEmpty() ? Optional.empty() : Optional.of(List.of(text.split(COMMA, -1)));
        }

        @Override
        public String format(List<String> value) {
            return String.join(COMMA, value);
        }

        @Override
        public String expectation() {
            return "a URL, or several with commas between them";
        }

        @Override
        public Optional<String> separator() {
            return Optional.of(COMMA);
        }
    }

    /** Permissions of a file as an octal number. */
    record Mode() implements ValueType<Set<PosixFilePermission>> {
        private static final PosixFilePermission[] BITS = PosixFilePermission.values();

        @Override
        public Optional<Set<PosixFilePermission>> parse(String text) {
            if (!text.matches("0?[0-7]{3}")) {
                return Optional.empty();
            }
            int bits = Integer.parseInt(text, 8);
            Set<PosixFilePermission> mode = EnumSet.noneOf(PosixFilePermission.class);
            for (int i = 0; i < BITS.length; i++) {
                if ((bits & bit(i)) != 0) {
                    mode.add(BITS[i]);
                }
            }
            return Optional.of(mode);
        }

        @Override
        public String format(Set<PosixFilePermission> value) {
            int bits = value.stream().mapToInt(each -> bit(each.ordinal())).sum();
            return "0%03o".formatted(bits);
        }

        /** The constants begin with the owner's right to read, which is the highest bit. */
        private static int bit(int ordinal) {
            return 1 << BITS.length - 1 - ordinal;
        }

        @Override
        public String expectation() {
            return "three octal digits, such as 0660";
        }
    }

    /** User ids with commas between them, or {@code none}. */
    record Uids() implements ValueType<List<Integer>> {
        private static final String NONE = "none";
        private static final ValueType.Count ONE = new ValueType.Count(0, Integer.MAX_VALUE);

        @Override
        public Optional<List<Integer>> parse(String text) {
            if (text.equals(NONE)) {
                return Optional.of(List.of());
            }
            List<Optional<Integer>> uids = Arrays.stream(text.split(COMMA, -1))
                    .map(String::strip)
                    .map(ONE::parse)
                    .toList();
            return uids.stream().allMatch(Optional::isPresent)
                    ? Optional.of(uids.stream().flatMap(Optional::stream).toList())
                    : Optional.empty();
        }

        @Override
        public String format(List<Integer> value) {
            return value.isEmpty() ? NONE : value.stream().map(String::valueOf).collect(joining(COMMA));
        }

        @Override
        public String expectation() {
            return "numbers of users with commas between them, or none";
        }

        @Override
        public Optional<String> separator() {
            return Optional.of(COMMA);
        }
    }
}
