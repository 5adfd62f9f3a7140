package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PathWalk;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The entries of a profile by the places that they lead to. If several lead to one place, deny wins over write and write over
 * read. One thread fills it; afterwards it is only read.
 */
final class Grants {

    /** One place and the entry that decides about it. */
    record Grant(ProfileEntry wanted, PathWalk.Located at) {
        Access access() {
            return wanted.access();
        }
    }

    private final Map<LinuxPath, Grant> grants = new TreeMap<>();

    void add(Grant grant) {
        grants.merge(grant.at().path(), grant, Grants::stronger);
    }

    /** Returns the stronger grant. Of two with equal access it is the one with fewer links, which leave less to change. */
    private static Grant stronger(Grant a, Grant b) {
        int byAccess = a.access().compareTo(b.access());
        boolean first = byAccess != 0
                ? byAccess > 0
                : a.at().links().size() <= b.at().links().size();
        return first ? a : b;
    }

    /** Returns the access that the entries give to a path, without the built-in protections. */
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

    /** Returns the access that the other entries give to a path if the entry of exactly this place is ignored. */
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

    /** Returns all grants, parents before children. */
    Collection<Grant> all() {
        return List.copyOf(grants.values());
    }
}
