package dev.execserver.helper.fs;

import java.util.Optional;

/** What must be true of a file for an operation to go on. Implementations are immutable. */
@FunctionalInterface
public interface FileCondition {

    /** Nothing is asked. */
    FileCondition NONE = tag -> true;

    /** @param tag the tag of the file, empty when there is none */
    boolean holds(Optional<String> tag);
}
