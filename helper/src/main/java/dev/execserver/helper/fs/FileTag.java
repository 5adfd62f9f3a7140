package dev.execserver.helper.fs;

import dev.execserver.sandbox.linux.FileStatus;

/**
 * Strong entity tag of HTTP (RFC 9110 section 8.8.3) that identifies one state of a file. Stateless.
 *
 * <p>It is made of the file's identity, its size and the times of its last modification and status change. The kernel
 * counts these times in ticks of a few milliseconds: two writes within one tick that keep the size get the same tag.
 */
final class FileTag {

    private FileTag() {}

    static String of(FileStatus status) {
        return "\"%x-%x-%x-%x-%x\""
                .formatted(status.device(), status.inode(), status.size(), status.modifiedNs(), status.changedNs());
    }
}
