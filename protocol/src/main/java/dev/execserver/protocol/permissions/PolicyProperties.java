package dev.execserver.protocol.permissions;

import dev.execserver.protocol.permissions.FileSystemPolicy.Restricted;
import dev.execserver.protocol.permissions.FileSystemPolicy.Unrestricted;
import java.util.List;
import java.util.OptionalInt;

/** Properties of a file policy that follow from its entries alone, without access to files. Pure functions. */
public final class PolicyProperties {
    private PolicyProperties() {}

    /** Returns true if every file may be read: the root is readable and nothing is denied. */
    public static boolean fullRead(FileSystemPolicy policy) {
        return switch (policy) {
            case Unrestricted() -> true;
            case Restricted(List<Entry> entries, OptionalInt unused) ->
                entries.stream()
                                .anyMatch(
                                        entry -> isRoot(entry) && entry.access().readable())
                        && entries.stream().allMatch(entry -> entry.access().readable());
        };
    }

    /** Returns true if every file may be written: the root is writable and no entry restricts it. */
    public static boolean fullWrite(FileSystemPolicy policy) {
        return switch (policy) {
            case Unrestricted() -> true;
            case Restricted(List<Entry> entries, OptionalInt unused) ->
                entries.stream()
                                .anyMatch(
                                        entry -> isRoot(entry) && entry.access().writable())
                        && entries.stream().noneMatch(entry -> narrows(entry, entries));
        };
    }

    /** Returns true if the platform's directories are readable although not everything is. */
    public static boolean platformDefaults(FileSystemPolicy policy) {
        return switch (policy) {
            case Unrestricted() -> false;
            case Restricted(List<Entry> entries, OptionalInt unused) ->
                !fullRead(policy)
                        && entries.stream()
                                .anyMatch(entry -> entry.names(new SpecialPath.Minimal())
                                        && entry.access().readable());
        };
    }

    /** Returns true if the entry is for the root of the file system, under either name. */
    public static boolean isRoot(Entry entry) {
        return target(entry.path()).equals("/");
    }

    /**
     * Returns a key that is the same for all names of one place: the root and {@code /}, {@code slash_tmp} and
     * {@code /tmp}. Places that are known only where the command runs start with a colon.
     */
    static String target(PolicyPath path) {
        return switch (path) {
            case PolicyPath.Exact exact -> exact.path().display().replaceAll("(?<=.)/+$", "");
            case PolicyPath.Glob(String pattern) -> ":glob " + pattern;
            case PolicyPath.Special(SpecialPath special) ->
                switch (special) {
                    case SpecialPath.Root() -> "/";
                    case SpecialPath.SlashTmp() -> "/tmp";
                    case SpecialPath.Minimal() -> ":minimal";
                    case SpecialPath.Tmpdir() -> ":tmpdir";
                    case SpecialPath.ProjectRoots(var subpath) ->
                        ":project_roots" + subpath.map(text -> " " + text).orElse("");
                    case SpecialPath.Unknown(String name, var subpath) ->
                        ":unknown " + name + subpath.map(text -> " " + text).orElse("");
                };
        };
    }

    /**
     * Returns true if the entry restricts a writable root. A write entry for the same place overrides an entry that
     * only reads, but nothing overrides a denial.
     */
    private static boolean narrows(Entry entry, List<Entry> all) {
        boolean harmless = entry.names(new SpecialPath.Minimal())
                || entry.path() instanceof PolicyPath.Special(SpecialPath.Unknown unused);
        if (harmless || entry.access().writable() && !(entry.path() instanceof PolicyPath.Glob)) {
            return false;
        }
        String target = target(entry.path());
        return !entry.access().readable()
                || entry.path() instanceof PolicyPath.Glob
                || all.stream()
                        .noneMatch(other -> other.access().writable()
                                && target(other.path()).equals(target));
    }
}
