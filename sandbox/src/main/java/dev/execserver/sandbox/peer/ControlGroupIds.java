package dev.execserver.sandbox.peer;

import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcStatus;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Returns ids of the control groups (version 2) of processes: the inode of the group's directory, which sock_diag(7) also
 * gives for sockets. Empty if the tree is not mounted as a whole.
 */
final class ControlGroupIds {
    private static final int ROOT = 3;
    private static final int MOUNT_POINT = 4;

    private final Optional<String> mountPoint;

    private ControlGroupIds(Optional<String> mountPoint) {
        this.mountPoint = mountPoint;
    }

    static ControlGroupIds ofThisMachine() {
        return of(ProcStatus.whole("/proc/self/mountinfo"));
    }

    static ControlGroupIds of(String mountinfo) {
        return new ControlGroupIds(mountinfo
                .lines()
                .filter(line -> line.contains(" - cgroup2 "))
                .map(line -> line.split(" "))
                .filter(fields -> fields[ROOT].equals("/"))
                .map(fields -> fields[MOUNT_POINT])
                .findFirst());
    }

    OptionalLong of(int pid) {
        Optional<String> group = ProcStatus.whole("/proc/" + pid + "/cgroup")
                .lines()
                .filter(line -> line.startsWith("0::/"))
                .map(line -> line.substring(3))
                .filter(path -> !path.startsWith("/.."))
                .findFirst();
        if (group.isEmpty() || mountPoint.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            byte[] path = (mountPoint.get() + group.get()).getBytes(StandardCharsets.ISO_8859_1);
            return OptionalLong.of(FileCalls.status(path, false).inode());
        } catch (LinuxException e) {
            return OptionalLong.empty(); // removed meanwhile
        }
    }
}
