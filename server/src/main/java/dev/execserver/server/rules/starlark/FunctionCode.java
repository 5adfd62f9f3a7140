package dev.execserver.server.rules.starlark;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Function as it stands in the source.
 *
 * @param result annotation of what it returns
 * @param locals names that its body or its parameters bind
 */
record FunctionCode(
        String name,
        List<Parameter> parameters,
        Optional<Expression> result,
        List<Statement> body,
        Set<String> locals) {
    enum Kind {
        ORDINARY,
        /** {@code *args}: takes the rest of the positions. */
        REST,
        /** {@code *}: what follows is passed by name only. */
        MARK,
        /** {@code **kwargs}: takes the rest of the names. */
        NAMES
    }

    /**
     * Parameter of a function.
     *
     * @param byName true if only a name can pass it
     */
    record Parameter(
            Kind kind, String name, Optional<Expression> type, Optional<Expression> defaultValue, boolean byName) {}
}
