package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.resolve.PathWalk.Located;
import dev.execserver.sandbox.resolve.ResolvedPolicy.Kind;
import java.util.List;
import java.util.function.Supplier;

/**
 * Whether a file operation may be done by the server itself, without a helper in a sandbox. That is so where the policy
 * gives everything away anyway, so that no race over a path can matter: all files may be read, or nothing would confine a
 * command at all. Everything else needs the helper, because between a check here and the operation a path may come to lead
 * elsewhere.
 *
 * <p>Full reading does not cover what the server is and a command is not: its own process in proc(5), where its memory,
 * environment and descriptors lie, what else the kernel tells depending on who asks, and the files it keeps secret. The paths
 * are resolved link by link to send those to a helper; whoever then reads here asks {@link ServerFiles} about each file that
 * was opened. Any platform thread; blocks as long as the file system likes.
 */
public final class PolicyAccess {
    private static final List<LinuxPath> KERNEL_ANSWERS =
            List.of(LinuxPath.of("/proc"), LinuxPath.of("/sys"), LinuxPath.of("/dev/fd"));

    private final PathWalk walk;
    private final Supplier<List<LinuxPath>> secrets;

    /**
     * For one server.
     *
     * @param secrets files and directories of the server that no sandboxed command may see
     */
    public PolicyAccess(FileView files, List<LinuxPath> secrets) {
        this(files, () -> secrets);
    }

    /**
     * As before, for secrets that change.
     *
     * @param secrets asked for each path
     */
    public PolicyAccess(FileView files, Supplier<List<LinuxPath>> secrets) {
        this.walk = new PathWalk(files);
        this.secrets = secrets;
    }

    /**
     * Whether the server itself may read there, be it metadata, names or content, as long as {@link ServerFiles} has nothing
     * against what it opens.
     */
    public boolean mayReadInProcess(ResolvedPolicy policy, LinuxPath path) {
        return switch (policy.kind()) {
            // Nobody asked for a sandbox around the files.
            case DISABLED, EXTERNAL -> true;
            case UNRESTRICTED, RESTRICTED -> policy.fullRead() && !guarded(path);
        };
    }

    /** Whether the server itself may write there: only where a command would run without a sandbox around files. */
    public boolean mayWriteInProcess(ResolvedPolicy policy, LinuxPath path) {
        return switch (policy.kind()) {
            case DISABLED, EXTERNAL -> true;
            // The network is no matter of files, and a helper would run from what its view makes writable.
            case UNRESTRICTED -> !guarded(path);
            case RESTRICTED -> policy.fullWrite() && policy.network().enabled() && !guarded(path);
        };
    }

    /**
     * What the policy says about a path as a command would name it: links are followed first. For messages and tests; an
     * operation needs more than that, see above.
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

    /** {@code self}, {@code thread-self} and numbers are processes, and who knows whose. */
    private static boolean ofKernel(LinuxPath path) {
        return KERNEL_ANSWERS.stream().anyMatch(path::startsWith);
    }
}
