package dev.execserver.helper.fs;

import dev.execserver.sandbox.linux.FileStatus;

/**
 * Tells one state of a file from another, as a strong entity tag of HTTP (RFC 9110 section 8.8.3). Stateless.
 *
 * <p>Made of the file's identity, its size and both times of change. The kernel counts those in ticks of a few
 * milliseconds: two writes within one tick that leave the size as it was look the same.
 */
final class FileTag {

    private FileTag() {}

    static String of(FileStatus status) {
        return "\"%x-%x-%x-%x-%x\""
                .formatted(status.device(), status.inode(), status.size(), status.modifiedNs(), status.changedNs());
    }
}
