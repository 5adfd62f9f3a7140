package dev.execserver.sandbox.paths;

import java.util.Arrays;

/**
 * A symbolic link on the way to the path of a rule.
 *
 * @param path location of the link; its parent is canonical
 * @param target its text as readlink(2) gives it, absolute or relative to the directory of the link
 * @param id identity of the link, to detect that it was replaced
 */
public record CrossedLink(LinuxPath path, byte[] target, FileId id) {
    @Override
    public boolean equals(Object other) {
        return other instanceof CrossedLink that
                && path.equals(that.path)
                && Arrays.equals(target, that.target)
                && id.equals(that.id);
    }

    @Override
    public int hashCode() {
        return path.hashCode();
    }
}
