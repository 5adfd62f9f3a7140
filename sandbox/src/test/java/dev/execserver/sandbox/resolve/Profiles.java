package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.Access;
import dev.execserver.protocol.permissions.Entry;
import dev.execserver.protocol.permissions.FileSystemPolicy;
import dev.execserver.protocol.permissions.FileSystemPolicy.Restricted;
import dev.execserver.protocol.permissions.NetworkPolicy;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.PolicyPath;
import dev.execserver.protocol.permissions.SpecialPath;
import dev.execserver.sandbox.paths.FileView;
import dev.execserver.sandbox.paths.LinuxPath;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Makes policies from the short notation of tests: {@code "/:r ws:w /ws/a:deny *.env:deny"}. */
public final class Profiles {
    static final LinuxPath WS = LinuxPath.of("/ws");

    private Profiles() {}

    public static PermissionProfile managed(String entries) {
        return new PermissionProfile.Managed(
                new Restricted(parse(entries), OptionalInt.empty()), NetworkPolicy.RESTRICTED);
    }

    static PermissionProfile managed(String entries, int depth) {
        return new PermissionProfile.Managed(
                new Restricted(parse(entries), OptionalInt.of(depth)), NetworkPolicy.RESTRICTED);
    }

    static PermissionProfile unrestricted(NetworkPolicy network) {
        return new PermissionProfile.Managed(FileSystemPolicy.UNRESTRICTED, network);
    }

    private static List<Entry> parse(String entries) {
        return Arrays.stream(entries.split(" "))
                .filter(word -> !word.isEmpty())
                .map(Profiles::entry)
                .toList();
    }

    private static Entry entry(String word) {
        int colon = word.lastIndexOf(':');
        String path = word.substring(0, colon);
        Access access = switch (word.substring(colon + 1)) {
            case "r" -> Access.READ;
            case "w" -> Access.WRITE;
            case "deny" -> Access.DENY;
            default -> throw new IllegalArgumentException(word);
        };
        return new Entry(path(path), access);
    }

    private static PolicyPath path(String path) {
        if (path.chars().anyMatch(c -> "*?[{".indexOf(c) >= 0)) {
            return new PolicyPath.Glob(path);
        }
        return switch (path) {
            case "/" -> new PolicyPath.Special(new SpecialPath.Root());
            case "minimal" -> new PolicyPath.Special(new SpecialPath.Minimal());
            case "tmpdir" -> new PolicyPath.Special(new SpecialPath.Tmpdir());
            case "slash_tmp" -> new PolicyPath.Special(new SpecialPath.SlashTmp());
            case "ws" -> new PolicyPath.Special(SpecialPath.WORKSPACE);
            default ->
                path.startsWith("ws/")
                        ? new PolicyPath.Special(new SpecialPath.ProjectRoots(Optional.of(path.substring(3))))
                        : new PolicyPath.Exact(PathUri.ofNative(path));
        };
    }

    /** Resolves with {@code /ws} as workspace and as directory of the policy. */
    static ResolvedPolicy resolve(FileView files, String entries) {
        return resolve(files, managed(entries), directories());
    }

    static ResolvedPolicy resolve(FileView files, PermissionProfile profile, PolicyDirectories directories) {
        return new PolicyResolver(files, Optional::empty, ServerPaths.NOTHING).resolve(profile, directories);
    }

    static PolicyDirectories directories() {
        return new PolicyDirectories(Optional.of(WS), List.of(WS), Optional.empty(), Optional.empty());
    }

    /** Returns the rules in the same notation, with their origin and a question mark behind missing paths. */
    public static List<String> rules(ResolvedPolicy policy) {
        return policy.rules().stream()
                .map(rule -> rule.path() + (rule.missing() ? "?" : "") + ":" + word(rule.access())
                        + (rule.origin() == Rule.Origin.ENTRY ? "" : " " + rule.origin()))
                .toList();
    }

    private static String word(Access access) {
        return access == Access.DENY ? "deny" : access.wire().substring(0, 1);
    }
}
