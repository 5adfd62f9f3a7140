package dev.execserver.helper.fs;

import java.util.Optional;

/**
 * Condition on a file that an operation requires.
 *
 * @param match like If-Match: the file exists and has one of these tags
 * @param noneMatch like If-None-Match: no file with one of these tags exists; an asterisk stands for any file
 */
public record FileCondition(Optional<String> match, Optional<String> noneMatch) {

    /** Requires nothing. */
    public static final FileCondition NONE = new FileCondition(Optional.empty(), Optional.empty());

    /** Requires that the file does not exist. */
    public static final FileCondition ABSENT = new FileCondition(Optional.empty(), Optional.of("*"));

    /**
     * Returns true if the condition holds.
     *
     * @param tag tag of the file, empty when the file does not exist
     */
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
