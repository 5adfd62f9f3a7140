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
 * Keeps track of where in a policy a reader is, so that an error can say {@code file_system.entries[2].access}. The path
 * travels in {@code data.member} of the error and gets its front part on the way out.
 */
final class Member {
    private static final String DATA = "member";

    private Member() {}

    /** What {@code reader} returns; its errors are told to be in that member. */
    static <T> T in(String member, Supplier<T> reader) {
        try {
            return reader.get();
        } catch (RpcException e) {
            throw at(member, e);
        }
    }

    /** The error, told to be in that member. */
    static RpcException at(String member, RpcException e) {
        return e.withData(DATA, of(e).map(inner -> join(member, inner)).orElse(member));
    }

    /** An array of objects; errors name the element. */
    static <T> List<T> list(ParamsReader in, String member, String structName, Function<ParamsReader, T> element) {
        AtomicInteger index = new AtomicInteger();
        return in(
                member,
                () -> in.structs(structName, e -> in("[" + index.getAndIncrement() + "]", () -> element.apply(e))));
    }

    /** An array of strings, each converted; errors name the element. */
    static <T> List<T> strings(ParamsReader in, String member, Function<String, T> element) {
        return in(member, () -> convert(in.strings(), element));
    }

    /** As {@link #strings}, or null. */
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

    /** The error with its place added to the text; unchanged when it has none. */
    static RpcException located(RpcException e) {
        return of(e).map(place -> RpcException.of(e.code(), e.message() + " at `" + place + "`")
                        .withData(e.data().orElseGet(ErrorData::empty)))
                .orElse(e);
    }

    /** A member that came under two names. */
    static <T> T once(Optional<?> before, String member, T value) {
        if (before.isPresent()) {
            throw RpcException.invalidParams("duplicate field `" + member + "`");
        }
        return value;
    }

    /** Tags of the application spelling in that of the core: {@code globPattern} and {@code glob-pattern} to {@code glob_pattern}. */
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
