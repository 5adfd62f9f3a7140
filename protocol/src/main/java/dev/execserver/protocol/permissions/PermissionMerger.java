package dev.execserver.protocol.permissions;

import dev.execserver.protocol.permissions.FileSystemPolicy.Restricted;
import dev.execserver.protocol.permissions.FileSystemPolicy.Unrestricted;
import dev.execserver.protocol.permissions.PermissionProfile.Disabled;
import dev.execserver.protocol.permissions.PermissionProfile.External;
import dev.execserver.protocol.permissions.PermissionProfile.Managed;
import dev.execserver.protocol.rpc.RpcException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BinaryOperator;

/** Combines {@link AdditionalPermissions} with each other and with profiles. Pure functions. */
public final class PermissionMerger {
    private PermissionMerger() {}

    /**
     * Removes duplicates and parts that add nothing.
     *
     * @throws RpcException invalid params for a glob that grants something
     */
    public static AdditionalPermissions normalise(AdditionalPermissions overlay) {
        Optional<Restricted> files = overlay.fileSystem().map(policy -> {
            policy.entries().forEach(PermissionMerger::checkGlob);
            return new Restricted(distinct(policy.entries()), policy.globScanMaxDepth());
        });
        return new AdditionalPermissions(
                overlay.networkEnabled(),
                files.filter(policy -> !policy.entries().isEmpty()));
    }

    /** Returns everything that at least one of the two grants. */
    public static AdditionalPermissions merge(AdditionalPermissions a, AdditionalPermissions b) {
        Optional<Boolean> network = combine(a.networkEnabled(), b.networkEnabled(), Boolean::logicalOr);
        return new AdditionalPermissions(
                network, combine(a.fileSystem(), b.fileSystem(), PermissionMerger::concatenate));
    }

    /** Returns everything that was both requested and granted. */
    public static AdditionalPermissions intersect(AdditionalPermissions requested, AdditionalPermissions granted) {
        boolean network = requested.networkEnabled().orElse(false)
                && granted.networkEnabled().orElse(false);
        Optional<Restricted> files = requested
                .fileSystem()
                .flatMap(asked -> granted.fileSystem().map(given -> {
                    List<Entry> both = new ArrayList<>(asked.entries());
                    both.retainAll(given.entries());
                    return new Restricted(both, deeper(asked, given));
                }));
        return new AdditionalPermissions(
                network ? Optional.of(true) : Optional.empty(),
                files.filter(policy -> !policy.entries().isEmpty()));
    }

    /**
     * Returns the profile with the additional permissions. File entries are added only to profiles that restrict files.
     */
    public static PermissionProfile apply(PermissionProfile profile, AdditionalPermissions overlay) {
        boolean network = overlay.networkEnabled().orElse(false);
        return switch (profile) {
            case Disabled disabled -> disabled;
            case External(NetworkPolicy base) -> new External(NetworkPolicy.of(base.enabled() || network));
            case Managed(FileSystemPolicy files, NetworkPolicy base) ->
                new Managed(apply(files, overlay), NetworkPolicy.of(base.enabled() || network));
        };
    }

    private static FileSystemPolicy apply(FileSystemPolicy files, AdditionalPermissions overlay) {
        return switch (files) {
            case Unrestricted unrestricted -> unrestricted;
            case Restricted restricted ->
                overlay.fileSystem()
                        .map(added -> concatenate(restricted, added))
                        .orElse(restricted);
        };
    }

    /**
     * Replaces everything that the policy grants and keeps its denials. The search depths of both are combined as in
     * {@link #merge}. If the new grants are unrestricted and the policy denies something, everything else becomes
     * writable.
     */
    public static FileSystemPolicy replaceGrants(FileSystemPolicy policy, FileSystemPolicy grants) {
        List<Entry> denied = denials(policy);
        return switch (grants) {
            case Unrestricted unrestricted when denied.isEmpty() -> unrestricted;
            case Unrestricted() -> {
                List<Entry> entries = new ArrayList<>(List.of(Entry.of(new SpecialPath.Root(), Access.WRITE)));
                entries.addAll(denied);
                yield new Restricted(entries, depth(policy));
            }
            case Restricted restricted -> concatenate(restricted, new Restricted(denied, depth(policy)));
        };
    }

    private static List<Entry> denials(FileSystemPolicy policy) {
        return switch (policy) {
            case Unrestricted() -> List.of();
            case Restricted(List<Entry> entries, OptionalInt unused) ->
                entries.stream().filter(entry -> !entry.access().readable()).toList();
        };
    }

    private static OptionalInt depth(FileSystemPolicy policy) {
        return switch (policy) {
            case Unrestricted() -> OptionalInt.empty();
            case Restricted(List<Entry> unused, OptionalInt depth) -> depth;
        };
    }

    private static void checkGlob(Entry entry) {
        if (entry.path() instanceof PolicyPath.Glob(String pattern)
                && entry.access().readable()) {
            throw RpcException.invalidParams(
                    "glob file system permissions only support deny-read entries: `" + pattern + "`");
        }
    }

    private static Restricted concatenate(Restricted a, Restricted b) {
        List<Entry> entries = new ArrayList<>(a.entries());
        entries.addAll(b.entries());
        return new Restricted(distinct(entries), deeper(a, b));
    }

    private static List<Entry> distinct(List<Entry> entries) {
        Set<Entry> distinct = new LinkedHashSet<>(entries);
        return List.copyOf(distinct);
    }

    /**
     * Returns the larger depth, where no bound is the largest. The bound of a side without globs is ignored if the
     * other has globs.
     */
    private static OptionalInt deeper(Restricted a, Restricted b) {
        if (!hasGlob(a) && !hasGlob(b)) {
            return a.globScanMaxDepth().isPresent() ? a.globScanMaxDepth() : b.globScanMaxDepth();
        }
        if (!hasGlob(a) || !hasGlob(b)) {
            return hasGlob(a) ? a.globScanMaxDepth() : b.globScanMaxDepth();
        }
        if (a.globScanMaxDepth().isEmpty() || b.globScanMaxDepth().isEmpty()) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(
                Math.max(a.globScanMaxDepth().getAsInt(), b.globScanMaxDepth().getAsInt()));
    }

    private static boolean hasGlob(Restricted policy) {
        return policy.entries().stream().anyMatch(entry -> entry.path() instanceof PolicyPath.Glob);
    }

    private static <T> Optional<T> combine(Optional<T> a, Optional<T> b, BinaryOperator<T> both) {
        return a.isPresent() && b.isPresent() ? Optional.of(both.apply(a.get(), b.get())) : a.or(() -> b);
    }
}
