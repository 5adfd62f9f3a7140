package dev.execserver.server.rules.starlark;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** Value of type {@code list}. It cannot be changed while a loop runs over it. */
public final class ListValue {
    private final List<Object> elements;
    private int loops;

    ListValue(Collection<?> elements) {
        this.elements = new ArrayList<>(elements);
    }

    /** Returns the elements, to look at. */
    public List<Object> elements() {
        return Collections.unmodifiableList(elements);
    }

    /** Returns the elements, to change. */
    List<Object> change() {
        if (loops > 0) {
            throw new Failure("This operation mutates an iterable for an iterator is being used");
        }
        return elements;
    }

    void beginLoop() {
        loops++;
    }

    void endLoop() {
        loops--;
    }
}
