package dev.execserver.protocol.permissions;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.FileSystemPolicy.Restricted;
import dev.execserver.protocol.permissions.PermissionProfile.Managed;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Shorthands for policies, and random policies. */
final class Policies {
    private Policies() {}

    static Entry exact(String path, Access access) {
        return Entry.of(PathUri.ofNative(path), access);
    }

    static Entry glob(String pattern, Access access) {
        return new Entry(new PolicyPath.Glob(pattern), access);
    }

    static Entry special(SpecialPath path, Access access) {
        return Entry.of(path, access);
    }

    static PermissionProfile managed(Entry... entries) {
        return new Managed(FileSystemPolicy.restricted(entries), NetworkPolicy.RESTRICTED);
    }

    static Arbitrary<PermissionProfile> profiles() {
        Arbitrary<NetworkPolicy> network = Arbitraries.of(NetworkPolicy.class);
        Arbitrary<PermissionProfile> managed =
                Combinators.combine(files(), network).as(Managed::new);
        Arbitrary<PermissionProfile> external = network.map(PermissionProfile.External::new);
        return Arbitraries.oneOf(managed, external, Arbitraries.just(PermissionProfile.DISABLED));
    }

    static Arbitrary<FileSystemPolicy> files() {
        Arbitrary<OptionalInt> depth = Arbitraries.oneOf(
                Arbitraries.just(OptionalInt.empty()),
                Arbitraries.integers().between(1, Integer.MAX_VALUE).map(OptionalInt::of));
        Arbitrary<FileSystemPolicy> restricted =
                Combinators.combine(entries().list().ofMaxSize(6), depth).as(Restricted::new);
        return Arbitraries.oneOf(restricted, Arbitraries.just(FileSystemPolicy.UNRESTRICTED));
    }

    static Arbitrary<Entry> entries() {
        return Combinators.combine(paths(), Arbitraries.of(Access.class), Arbitraries.of(true, false))
                .as(Entry::new);
    }

    private static Arbitrary<PolicyPath> paths() {
        Arbitrary<String> names = Arbitraries.of("a", "b c", "ü", "100%", "x?y", "#", "\\", "\"", ".git", "名前");
        Arbitrary<PolicyPath> exact = names.list()
                .ofMaxSize(3)
                .map(list -> new PolicyPath.Exact(PathUri.ofNative("/" + String.join("/", list))));
        Arbitrary<PolicyPath> glob = names.map(name -> new PolicyPath.Glob("**/" + name));
        Arbitrary<PolicyPath> special = specials(names).map(PolicyPath.Special::new);
        return Arbitraries.oneOf(exact, glob, special);
    }

    private static Arbitrary<SpecialPath> specials(Arbitrary<String> names) {
        Arbitrary<SpecialPath> fixed = Arbitraries.of(
                new SpecialPath.Root(),
                new SpecialPath.Minimal(),
                SpecialPath.WORKSPACE,
                new SpecialPath.Tmpdir(),
                new SpecialPath.SlashTmp());
        Arbitrary<SpecialPath> roots = names.map(name -> new SpecialPath.ProjectRoots(Optional.of(name)));
        Arbitrary<SpecialPath> unknown =
                Combinators.combine(names, names.optional()).as(SpecialPath.Unknown::new);
        return Arbitraries.oneOf(fixed, roots, unknown);
    }

    static List<SandboxPolicy> legacy() {
        PathUri extra = PathUri.ofNative("/extra");
        return List.of(
                new SandboxPolicy.DangerFullAccess(),
                new SandboxPolicy.ReadOnly(false),
                new SandboxPolicy.ReadOnly(true),
                new SandboxPolicy.WorkspaceWrite(List.of(), false, false, false),
                new SandboxPolicy.WorkspaceWrite(List.of(extra), true, true, false),
                new SandboxPolicy.WorkspaceWrite(List.of(extra, PathUri.ofNative("/b")), false, false, true),
                new SandboxPolicy.ExternalSandbox(NetworkPolicy.RESTRICTED),
                new SandboxPolicy.ExternalSandbox(NetworkPolicy.ENABLED));
    }
}
