package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.paths.FileView;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PathWalk;
import dev.execserver.sandbox.paths.PathWalk.Located;
import dev.execserver.sandbox.paths.ServerFiles;
import dev.execserver.sandbox.resolve.ResolvedPolicy.Kind;
import java.util.List;
import java.util.function.Supplier;

/**
 * Decides if the server itself may do a file operation, without a helper in a sandbox. It may where the policy gives
 * everything away, because there no race over a path matters: every file is readable, or a command would not be confined at
 * all. Other operations need the helper, because a path may change its target between this check and the operation.
 *
 * <p>Full reading does not cover files that show more to the server than to a command: its own process in proc(5) with
 * memory, environment and descriptors, other kernel files that answer according to the reader, and the server's secrets. The
 * paths are resolved link by link to send those operations to a helper. An operation that is done here must check each opened
 * file with {@link ServerFiles}. Any platform thread; blocks as long as the file system does.
 */
public final class PolicyAccess {
    private static final List<LinuxPath> KERNEL_ANSWERS =
            List.of(LinuxPath.of("/proc"), LinuxPath.of("/sys"), LinuxPath.of("/dev/fd"));

    private final PathWalk walk;
    private final Supplier<List<LinuxPath>> secrets;

    /**
     * Makes the check of one server.
     *
     * @param secrets files and directories of the server that no sandboxed command may see
     */
    public PolicyAccess(FileView files, List<LinuxPath> secrets) {
        this(files, () -> secrets);
    }

    /**
     * Makes the check of one server whose secrets change.
     *
     * @param secrets returns the present secrets; called for each path
     */
    public PolicyAccess(FileView files, Supplier<List<LinuxPath>> secrets) {
        this.walk = new PathWalk(files);
        this.secrets = secrets;
    }

    /**
     * Returns true if the server itself may read there: metadata, names and content. {@link ServerFiles} must then accept the
     * opened file.
     */
    public boolean mayReadInProcess(ResolvedPolicy policy, LinuxPath path) {
        return switch (policy.kind()) {
            // The client did not ask for a sandbox around the files.
            case DISABLED, EXTERNAL -> true;
            case UNRESTRICTED, RESTRICTED -> policy.fullRead() && !guarded(path);
        };
    }

    /** Returns true if the server itself may write there: only if a command would run without a sandbox around files. */
    public boolean mayWriteInProcess(ResolvedPolicy policy, LinuxPath path) {
        return switch (policy.kind()) {
            case DISABLED, EXTERNAL -> true;
            // The network does not matter for files. A helper would run from files that its own view makes writable.
            case UNRESTRICTED -> !guarded(path);
            case RESTRICTED -> policy.fullWrite() && policy.network().enabled() && !guarded(path);
        };
    }

    /**
     * Returns the access that the policy gives to a path, after its links are followed. For messages and tests only: an
     * operation must also pass the checks above.
     */
    public Access access(ResolvedPolicy policy, LinuxPath path) {
        if (policy.kind() == Kind.DISABLED || policy.kind() == Kind.EXTERNAL) {
            return Access.WRITE;
        }
        Located at = walk.locate(path);
        return at.obstacle().isPresent() ? Access.DENY : policy.access(at.path());
    }

    private boolean guarded(LinuxPath path) {
        Located at = walk.locate(path);
        if (at.obstacle().isPresent() || ofKernel(path)) {
            return true;
        }
        return ofKernel(at.path())
                || at.links().stream().anyMatch(link -> ofKernel(link.path()))
                || secrets.get().stream()
                        .anyMatch(secret ->
                                at.path().startsWith(walk.locate(secret).path()));
    }

    /** Returns true below {@link #KERNEL_ANSWERS}: there {@code self}, {@code thread-self} and numbers stand for processes. */
    private static boolean ofKernel(LinuxPath path) {
        return KERNEL_ANSWERS.stream().anyMatch(path::startsWith);
    }
}
