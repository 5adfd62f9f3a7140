package dev.execserver.protocol.permissions;

import dev.execserver.protocol.rpc.ErrorData;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Records the position of a reader within a policy, so that an error can name {@code file_system.entries[2].access}.
 * The position is in {@code data.member} of the error; each enclosing reader prepends its part.
 */
final class MemberPath {
    private static final String DATA = "member";

    private MemberPath() {}

    /** Returns the result of {@code reader}. Adds the member to the position of its errors. */
    static <T> T in(String member, Supplier<T> reader) {
        try {
            return reader.get();
        } catch (RpcException e) {
            throw at(member, e);
        }
    }

    /** Returns the error with the member added to its position. */
    static RpcException at(String member, RpcException e) {
        return e.withData(DATA, of(e).map(inner -> join(member, inner)).orElse(member));
    }

    /** Reads an array of objects. Errors contain the index of the element. */
    static <T> List<T> list(ParamsReader in, String member, String structName, Function<ParamsReader, T> element) {
        AtomicInteger index = new AtomicInteger();
        return in(
                member,
                () -> in.structs(structName, e -> in("[" + index.getAndIncrement() + "]", () -> element.apply(e))));
    }

    /** Reads an array of strings and converts each. Errors contain the index of the element. */
    static <T> List<T> strings(ParamsReader in, String member, Function<String, T> element) {
        return in(member, () -> convert(in.strings(), element));
    }

    /** Does the same as {@link #strings}, or returns empty for null. */
    static <T> Optional<List<T>> stringsOrNull(ParamsReader in, String member, Function<String, T> element) {
        return in(member, () -> in.stringsOrNull().map(strings -> convert(strings, element)));
    }

    private static <T> List<T> convert(List<String> strings, Function<String, T> element) {
        List<T> elements = new ArrayList<>();
        for (int i = 0; i < strings.size(); i++) {
            String text = strings.get(i);
            elements.add(in("[" + i + "]", () -> element.apply(text)));
        }
        return List.copyOf(elements);
    }

    /** Returns the error with its position added to the text, or unchanged if it has no position. */
    static RpcException located(RpcException e) {
        return of(e).map(place -> RpcException.of(e.code(), e.message() + " at `" + place + "`")
                        .withData(e.data().orElseGet(ErrorData::empty)))
                .orElse(e);
    }

    /** Refuses a member that was sent twice, under two names. */
    static <T> T once(Optional<?> before, String member, T value) {
        if (before.isPresent()) {
            throw RpcException.invalidParams("duplicate field `" + member + "`");
        }
        return value;
    }

    /**
     * Converts a tag to the core spelling: {@code globPattern} and {@code glob-pattern} become {@code glob_pattern}.
     */
    static String snake(String tag) {
        return tag.replace('-', '_').replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
    }

    private static Optional<String> of(RpcException e) {
        return e.data().map(data -> (String) data.members().get(DATA));
    }

    private static String join(String outer, String inner) {
        return inner.startsWith("[") ? outer + inner : outer + "." + inner;
    }
}
