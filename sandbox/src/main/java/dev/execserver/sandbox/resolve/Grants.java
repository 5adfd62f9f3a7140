package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The entries of a profile at the places where they lead, each place once. Where several lead to one place, deny counts over
 * write and write over read. Filled by one thread, then only read.
 */
final class Grants {

    /** One place and the entry that counts there. */
    record Grant(Wanted wanted, PathWalk.Located at) {
        Access access() {
            return wanted.access();
        }
    }

    private final Map<LinuxPath, Grant> grants = new TreeMap<>();

    void add(Grant grant) {
        grants.merge(grant.at().path(), grant, Grants::stronger);
    }

    /** Of two that say the same, the one that is reached without links has nothing that could be changed. */
    private static Grant stronger(Grant a, Grant b) {
        int byAccess = a.access().compareTo(b.access());
        boolean first = byAccess != 0
                ? byAccess > 0
                : a.at().links().size() <= b.at().links().size();
        return first ? a : b;
    }

    /** What the entries say about a path, built-in protections left aside. */
    Access access(LinuxPath path) {
        for (LinuxPath above : path.lineage().reversed()) {
            Grant grant = grants.get(above);
            // A grant of something that does not exist grants nothing.
            if (grant != null && (grant.at().exists() || !grant.access().writable())) {
                return grant.access();
            }
        }
        return Access.DENY;
    }

    boolean writable(LinuxPath path) {
        return access(path).writable();
    }

    /** What they say about a path when the entry for exactly this place is left aside. */
    Access accessWithout(LinuxPath place, LinuxPath path) {
        Grants others = new Grants();
        others.grants.putAll(grants);
        others.grants.remove(place);
        return others.access(path);
    }

    Optional<Grant> at(LinuxPath path) {
        return Optional.ofNullable(grants.get(path));
    }

    void remove(LinuxPath path) {
        grants.remove(path);
    }

    /** Parents before children. */
    Collection<Grant> all() {
        return List.copyOf(grants.values());
    }
}
