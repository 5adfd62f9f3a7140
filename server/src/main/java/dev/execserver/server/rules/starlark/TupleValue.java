package dev.execserver.server.rules.starlark;

import java.util.List;

/** Value of type {@code tuple}. */
public record TupleValue(List<Object> elements) {
    public TupleValue {
        elements = List.copyOf(elements);
    }
}
