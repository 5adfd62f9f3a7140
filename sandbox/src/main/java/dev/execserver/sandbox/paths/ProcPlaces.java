package dev.execserver.sandbox.paths;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/** Recognizes paths in proc(5). A sandbox has its own /proc, which shows other processes than the host's. Stateless. */
public final class ProcPlaces {
    public static final LinuxPath PROC = LinuxPath.of("/proc");

    /** Links that lead each process to itself. */
    private static final Set<LinuxPath> TO_ITSELF = Set.of(PROC.child("self"), PROC.child("thread-self"));

    private ProcPlaces() {}

    /** Returns true if the path belongs to one process of the host. The path must contain no links. */
    public static boolean ofOneProcess(LinuxPath path) {
        if (!path.below(PROC)) {
            return false;
        }
        byte[] name = path.lineage().get(PROC.depth() + 1).name();
        return new String(name, StandardCharsets.ISO_8859_1).chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /** Returns true if a path with these links leads each process to a different file. */
    public static boolean ofWhoeverAsks(List<CrossedLink> links) {
        return links.stream().map(CrossedLink::path).anyMatch(TO_ITSELF::contains);
    }
}
