package dev.execserver.sandbox.limits;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The place where this server can make groups with a given controller, see cgroups(7).
 *
 * @param unified true for version 2, which has one tree for all controllers
 * @param parent the group in which groups can be made: the server's own, or the delegated one above it
 * @param home the group that the server is in
 */
record Hierarchy(boolean unified, Path parent, Path home) {

    /** Index of a field in a line of /proc/self/mountinfo, see proc(5). Optional fields end with a dash. */
    private static final int ROOT = 3;

    private static final int MOUNT_POINT = 4;

    /**
     * Returns version 2 if it enables the controller for child groups, else version 1; empty if this server can write
     * neither.
     */
    static Optional<Hierarchy> of(String controller) throws IOException {
        return of(controller, lines("/proc/self/mountinfo"), lines("/proc/self/cgroup"));
    }

    private static List<String> lines(String file) throws IOException {
        return new String(Files.readAllBytes(Path.of(file)), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }

    static Optional<Hierarchy> of(String controller, List<String> mounts, List<String> groups) {
        List<Hierarchy> found = new ArrayList<>();
        for (String mount : mounts) {
            String[] halves = mount.split(" - ", 2);
            String[] fields = halves[0].split(" ");
            String[] type = halves.length == 2 ? halves[1].split(" ") : new String[] {""};
            boolean unified = type[0].equals("cgroup2");
            boolean old = type[0].equals("cgroup") && has(type[type.length - 1], controller);
            if (unified || old) {
                groups.stream()
                        .map(line -> line.split(":", 3))
                        .filter(line -> unified ? line[1].isEmpty() : has(line[1], controller))
                        .findFirst()
                        .map(line -> inside(fields[MOUNT_POINT], fields[ROOT], line[2]))
                        .ifPresent(path -> found.add(new Hierarchy(unified, parent(unified, path), path)));
            }
        }
        return found.stream()
                .filter(hierarchy -> !hierarchy.unified() || hierarchy.delegates(controller))
                .filter(hierarchy -> Files.isWritable(hierarchy.parent()))
                .findFirst();
    }

    private static Path parent(boolean unified, Path own) {
        return unified ? Delegation.of(own).orElse(own) : own;
    }

    /** Returns the group of version 2 that this server is in, if there is one. */
    static Optional<Path> ownUnified() throws IOException {
        List<String> groups = lines("/proc/self/cgroup");
        return lines("/proc/self/mountinfo").stream()
                .map(mount -> mount.split(" - ", 2))
                .filter(halves -> halves.length == 2 && halves[1].startsWith("cgroup2 "))
                .map(halves -> halves[0].split(" "))
                .flatMap(fields -> groups.stream()
                        .filter(line -> line.startsWith("0::"))
                        .map(line -> inside(fields[MOUNT_POINT], fields[ROOT], line.substring(3))))
                .findFirst();
    }

    private static boolean has(String list, String controller) {
        return Arrays.asList(list.split(",")).contains(controller);
    }

    /** Returns the path of the group below the mount point. In a container the mount may show only a part of the tree. */
    private static Path inside(String mountPoint, String root, String group) {
        String below = !root.equals("/") && group.startsWith(root) ? group.substring(root.length()) : group;
        return Path.of(mountPoint, below);
    }

    private boolean delegates(String controller) {
        try {
            String controllers = Files.readString(parent.resolve("cgroup.subtree_control"));
            return Arrays.asList(controllers.strip().split(" ")).contains(controller);
        } catch (IOException e) {
            return false;
        }
    }
}
