package dev.execserver.sandbox.resolve;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/** What lies in proc(5), of which a sandbox has one of its own: others are the processes there. Stateless. */
public final class ProcPlaces {
    public static final LinuxPath PROC = LinuxPath.of("/proc");

    /** Links that lead each process to itself. */
    private static final Set<LinuxPath> TO_ITSELF = Set.of(PROC.child("self"), PROC.child("thread-self"));

    private ProcPlaces() {}

    /** Whether it belongs to one process of the host. The path has no links. */
    public static boolean ofOneProcess(LinuxPath path) {
        if (!path.below(PROC)) {
            return false;
        }
        byte[] name = path.lineage().get(PROC.depth() + 1).name();
        return new String(name, StandardCharsets.ISO_8859_1).chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /** Whether a path with these links is another one for each process. */
    static boolean ofWhoeverAsks(List<CrossedLink> links) {
        return links.stream().map(CrossedLink::path).anyMatch(TO_ITSELF::contains);
    }
}
