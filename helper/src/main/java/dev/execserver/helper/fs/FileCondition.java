package dev.execserver.helper.fs;

import java.util.Optional;

/**
 * What must be true of a file for an operation to go on.
 *
 * @param match as If-Match: the file is there and has one of these tags
 * @param noneMatch as If-None-Match: there is no file with one of these tags; an asterisk is any file
 */
public record FileCondition(Optional<String> match, Optional<String> noneMatch) {

    /** Nothing is asked. */
    public static final FileCondition NONE = new FileCondition(Optional.empty(), Optional.empty());

    /** There is no such file. */
    public static final FileCondition ABSENT = new FileCondition(Optional.empty(), Optional.of("*"));

    /** @param tag the tag of the file, empty when there is none */
    boolean holds(Optional<String> tag) {
        boolean asked = match.isEmpty()
                || tag.filter(present -> EntityTags.lists(match.get(), present, true))
                        .isPresent();
        boolean refused = noneMatch.isPresent()
                && tag.filter(present -> EntityTags.lists(noneMatch.get(), present, true))
                        .isPresent();
        return asked && !refused;
    }
}
