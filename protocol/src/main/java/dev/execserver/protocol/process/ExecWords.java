package dev.execserver.protocol.process;

import dev.execserver.protocol.rpc.ParamsReader;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Words on the wire for the constants of enums: their names in lower case. */
final class ExecWords {

    private ExecWords() {}

    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    static <E extends Enum<E>> E parse(String word, E[] values) {
        return Stream.of(values)
                .filter(value -> word(value).equals(word))
                .findFirst()
                .orElseThrow(() -> ParamsReader.unknownVariant(
                        word,
                        "one of "
                                + Stream.of(values)
                                        .map(value -> "`" + word(value) + "`")
                                        .collect(Collectors.joining(", "))));
    }
}
