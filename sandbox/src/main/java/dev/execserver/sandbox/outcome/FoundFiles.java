package dev.execserver.sandbox.outcome;

import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.paths.FileId;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.resolve.Rule;
import dev.execserver.sandbox.resolve.RuleTarget;

/**
 * Compares what the resolution of a policy has found with what is there now. If a start fails because a directory went away
 * meanwhile, such as the state folder of another server, a new resolution does without it. Stateless; touches files.
 */
public final class FoundFiles {
    private FoundFiles() {}

    /**
     * Returns if all files of the policy are the ones that were found.
     *
     * @throws FilesChangedException if one was removed or replaced
     */
    public static void requireUnchanged(ResolvedPolicy policy) {
        for (Rule rule : policy.rules()) {
            switch (rule.found()) {
                case RuleTarget.Directory(FileId id, boolean _) -> requireUnchanged(rule.path(), id);
                case RuleTarget.File(FileId id, boolean _) -> requireUnchanged(rule.path(), id);
                case RuleTarget.Missing _ -> {} // the placeholder there now is ours, or was seen when it was made
            }
        }
    }

    private static void requireUnchanged(LinuxPath path, FileId id) {
        FileStatus now;
        try {
            now = FileCalls.status(path.bytes(), false);
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT || e.errno() == Errno.ENOTDIR) {
                throw new FilesChangedException(path + " went away while the sandbox was being prepared");
            }
            return; // what cannot be looked at has not been seen to change
        }
        if (!new FileId(now.device(), now.inode()).equals(id)) {
            throw new FilesChangedException(path + " was replaced while the sandbox was being prepared");
        }
    }
}
