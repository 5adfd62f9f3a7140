package dev.execserver.server.rules.starlark;

import java.util.List;
import java.util.Map;

/** Values that a call passes to a function. */
public record Arguments(List<Object> positions, Map<String, Object> names) {
    static Arguments of(Object... positions) {
        return new Arguments(List.of(positions), Map.of());
    }
}
