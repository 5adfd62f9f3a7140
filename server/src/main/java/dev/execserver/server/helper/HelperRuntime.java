package dev.execserver.server.helper;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.Access;
import dev.execserver.protocol.permissions.Entry;
import dev.execserver.protocol.permissions.FileSystemPolicy.Restricted;
import dev.execserver.protocol.permissions.NetworkPolicy;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.SpecialPath;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.resolve.LinuxPath;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.resolve.Rule;
import dev.execserver.server.environment.Installation;
import dev.execserver.server.sandbox.Sandboxes.HelperNeeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a helper needs to run: the Java runtime of this server and the launcher jar, readable in every view and writable in
 * none, since the next helper would run what a hostile one has written there. Immutable.
 *
 * @param javaHome canonical
 * @param jar canonical
 */
record HelperRuntime(Path javaHome, Path jar) {

    /** A request for one file must not make the helper larger than the largest message twice over. */
    private static final List<String> OPTIONS = List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx192m",
            "-Xss512k",
            "-XX:ReservedCodeCacheSize=16m",
            "-XX:-UsePerfData",
            "-Xshare:auto",
            "--enable-native-access=ALL-UNNAMED");

    private static final String JAR_NAME = "helper.jar";

    /** @param configured the jar that the operator names; else the one beside the server's own */
    static Optional<HelperRuntime> find(Optional<Path> configured) {
        try {
            Optional<Path> jar =
                    configured.or(() -> Installation.beside(JAR_NAME)).filter(Files::isRegularFile);
            return jar.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new HelperRuntime(
                            Path.of(System.getProperty("java.home")).toRealPath(),
                            jar.get().toRealPath()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String program() {
        return javaHome.resolve("bin/java").toString();
    }

    List<String> argv() {
        List<String> argv = new ArrayList<>();
        argv.add(program());
        argv.addAll(OPTIONS);
        cache().ifPresent(file -> argv.add("-XX:AOTCache=" + file));
        argv.addAll(List.of("-jar", jar.toString(), "fs"));
        return argv;
    }

    private Optional<Path> cache() {
        return Optional.of(jar.resolveSibling("helper.aot")).filter(Files::isRegularFile);
    }

    /**
     * These variables, and where the libraries of the runtime are: the loader finds them by /proc/self/exe otherwise ($ORIGIN, see
     * ld.so(8)), and the sandbox has no /proc where none can be mounted.
     */
    List<String> environment(List<String> variables) {
        List<String> all = new ArrayList<>(variables);
        all.add("LD_LIBRARY_PATH=" + javaHome.resolve("lib"));
        return all;
    }

    /** What this adds to profiles. */
    HelperNeeds needs() {
        return new HelperNeeds(this::withRuntime, this::view);
    }

    /** The profile of a request as its helper gets it: no network, and what it needs itself. */
    private PermissionProfile view(PermissionProfile wanted) {
        return withRuntime(wanted) instanceof PermissionProfile.Managed(Restricted files, NetworkPolicy _)
                ? new PermissionProfile.Managed(
                        with(files, List.of(Entry.of(new SpecialPath.Minimal(), Access.READ))),
                        NetworkPolicy.RESTRICTED)
                : wanted;
    }

    /** A profile that lets read what the helper runs from, which is no secret. */
    private PermissionProfile withRuntime(PermissionProfile wanted) {
        if (!(wanted instanceof PermissionProfile.Managed(Restricted files, NetworkPolicy network))) {
            return wanted;
        }
        List<Entry> own = Stream.concat(Stream.of(javaHome, jar), cache().stream())
                .map(path -> Entry.of(PathUri.ofNative(path.toString()), Access.READ))
                .toList();
        return new PermissionProfile.Managed(with(files, own), network);
    }

    private static Restricted with(Restricted files, List<Entry> more) {
        return new Restricted(
                Stream.concat(files.entries().stream(), more.stream()).toList(), files.globScanMaxDepth());
    }

    /**
     * Refuses a view in which the runtime could be changed, or is not there.
     *
     * @throws RpcException -32600
     */
    void check(ResolvedPolicy policy) {
        for (Path part : List.of(javaHome, jar)) {
            LinuxPath path = LinuxPath.of(part.toString());
            boolean writable = policy.access(path) == Access.WRITE
                    || policy.below(path).stream().map(Rule::access).anyMatch(Access.WRITE::equals);
            if (writable || !policy.access(path).readable()) {
                throw refused("the policy makes " + part + ", which the file helper runs from, "
                        + (writable ? "writable" : "unreadable"));
            }
        }
    }

    static RpcException refused(String reason) {
        return RpcException.invalidRequest("failed to prepare fs sandbox: " + reason);
    }
}
