package dev.execserver.server.sandbox;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.resolve.PolicyAccess;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** Permits to look at files that all floors let commands read. No state of its own. */
final class FloorVisibility implements FileVisibility {
    private final Supplier<List<ResolvedPolicy>> floors;
    private final PolicyAccess access;

    /** @param floors resolves the floors against the present files */
    FloorVisibility(Supplier<List<ResolvedPolicy>> floors, PolicyAccess access) {
        this.floors = floors;
        this.access = access;
    }

    @Override
    public void require(PathUri path) {
        floors.get().forEach(policy -> {
            if (!access.access(policy, LinuxPath.of(path.bytes())).readable()) {
                throw hidden(path);
            }
        });
    }

    @Override
    public void require(Fd opened, PathUri path) {
        floors.get().forEach(policy -> requirePlace(policy, place(opened, path), path));
    }

    @Override
    public void require(Fd directory, byte[] name, PathUri path) {
        floors.get().forEach(policy -> requirePlace(policy, below(place(directory, path), name), path));
    }

    private static void requirePlace(ResolvedPolicy policy, LinuxPath place, PathUri path) {
        if (!policy.access(place).readable()) {
            throw hidden(path);
        }
    }

    /**
     * Appends a name to a directory. The name may be {@code .} or {@code ..}, because the directory's path has no
     * links.
     */
    private static LinuxPath below(LinuxPath directory, byte[] name) {
        byte[] above = directory.bytes();
        byte[] path = Arrays.copyOf(above, above.length + 1 + name.length);
        path[above.length] = '/';
        System.arraycopy(name, 0, path, above.length + 1, name.length);
        return LinuxPath.of(path);
    }

    /** Returns the kernel's path of an open file. Refuses a file without a path, because no floor permits it. */
    private static LinuxPath place(Fd opened, PathUri path) {
        byte[] name = EntryCalls.nameOf(opened);
        if (name.length == 0 || name[0] != '/') {
            throw hidden(path);
        }
        return LinuxPath.of(name);
    }

    private static RuntimeException hidden(PathUri path) {
        return OperatorFloor.refusal("the operator's floor (--sandbox-floor) hides " + path.display());
    }
}
