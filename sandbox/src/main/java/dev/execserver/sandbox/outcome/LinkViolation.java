package dev.execserver.sandbox.outcome;

import dev.execserver.sandbox.paths.LinuxPath;
import java.util.Optional;

/**
 * A link that was changed.
 *
 * @param link location of the link
 * @param found description of the file that was there
 * @param movedTo present location of that file, unless it was a link
 * @param obstacle reason why the link could not be restored
 */
public record LinkViolation(LinuxPath link, String found, Optional<LinuxPath> movedTo, Optional<String> obstacle) {}
