package dev.execserver.server.rules.starlark;

import java.util.List;
import java.util.function.Function;

/** Loop over a value, which cannot be changed meanwhile. */
final class Iteration {
    private Iteration() {}

    static <T> T over(Object value, Function<List<Object>, T> body) {
        List<Object> elements = Values.elements(value);
        begin(value);
        try {
            return body.apply(elements);
        } finally {
            end(value);
        }
    }

    private static void begin(Object value) {
        if (value instanceof ListValue list) {
            list.beginLoop();
        } else if (value instanceof DictValue dict) {
            dict.beginLoop();
        }
    }

    private static void end(Object value) {
        if (value instanceof ListValue list) {
            list.endLoop();
        } else if (value instanceof DictValue dict) {
            dict.endLoop();
        }
    }
}
