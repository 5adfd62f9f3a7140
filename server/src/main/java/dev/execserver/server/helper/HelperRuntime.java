package dev.execserver.server.helper;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.Access;
import dev.execserver.protocol.permissions.Entry;
import dev.execserver.protocol.permissions.FileSystemPolicy.Restricted;
import dev.execserver.protocol.permissions.NetworkPolicy;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.SpecialPath;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.SyscallLibrary;
import dev.execserver.sandbox.paths.LinuxPath;
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
 * The files that a helper runs from: the Java runtime of this server and the launcher jar. They are readable in every
 * view and writable in none, because a hostile helper could change the code of the next one. Immutable.
 *
 * @param javaHome canonical
 * @param jar canonical
 * @param cache the start-up cache beside the jar; empty if there is none that fits this Java
 * @param syscalls the library beside the jar; empty on machines for which there is none
 */
record HelperRuntime(Path javaHome, Path jar, Optional<Path> cache, Optional<Path> syscalls) {

    /** Heap size in MiB. A request for one file needs at most twice the largest message. */
    static final int HEAP_MIB = 192;

    private static final List<String> OPTIONS = List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            // Recorded profiles serve the second compiler, which is switched off, and cost 20 ms.
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-AOTReplayTraining",
            // Early compilation takes a fifth of the processor time up to the first answers, and most helpers give few.
            "-XX:CompileThresholdScaling=3",
            "-Xms8m",
            "-Xmn4m",
            "-Xmx" + HEAP_MIB + "m",
            "-Xss512k",
            "-XX:ReservedCodeCacheSize=16m",
            "-XX:-UsePerfData",
            "-XX:+DisableAttachMechanism",
            "--enable-native-access=ALL-UNNAMED",
            // Standard output is the socket: messages of the JVM must not go there.
            "-XX:+DisplayVMOutputToStderr",
            "-Xlog:disable",
            "-Xlog:all=warning:stderr");

    private static final String JAR_NAME = "helper.jar";
    private static final String CACHE_NAME = "helper.aot";

    /** The release file of the JDK that has made the cache. */
    private static final String CACHE_JDK_NAME = "jdk-release";

    /** @param configured the jar that the operator names; if empty, it is expected beside the server's own jar */
    static Optional<HelperRuntime> find(Optional<Path> configured) {
        try {
            Optional<Path> jar =
                    configured.or(() -> Installation.beside(JAR_NAME)).filter(Files::isRegularFile);
            return jar.isEmpty() ? Optional.empty() : Optional.of(of(jar.get().toRealPath()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static HelperRuntime of(Path jar) throws IOException {
        Path javaHome = Path.of(System.getProperty("java.home")).toRealPath();
        Path cache = jar.resolveSibling(CACHE_NAME);
        Path made = jar.resolveSibling(CACHE_JDK_NAME);
        boolean fits = Files.isRegularFile(cache)
                && Files.isRegularFile(made)
                && Files.mismatch(made, javaHome.resolve("release")) < 0;
        Path syscalls = jar.resolveSibling(SyscallLibrary.FILE_NAME);
        return new HelperRuntime(
                javaHome,
                jar,
                fits ? Optional.of(cache.toRealPath()) : Optional.empty(),
                Files.isRegularFile(syscalls) ? Optional.of(syscalls.toRealPath()) : Optional.empty());
    }

    String program() {
        return javaHome.resolve("bin/java").toString();
    }

    List<String> argv() {
        List<String> argv = new ArrayList<>();
        argv.add(program());
        argv.addAll(OPTIONS);
        cache.ifPresent(file -> argv.add("-XX:AOTCache=" + file));
        argv.addAll(List.of("-jar", jar.toString(), "fs"));
        return argv;
    }

    /**
     * Returns these variables, with the path of the runtime's libraries. Otherwise the loader finds them by
     * /proc/self/exe ($ORIGIN, see ld.so(8)), and some sandboxes have no /proc.
     */
    List<String> environment(List<String> variables) {
        List<String> all = new ArrayList<>(variables);
        all.add("LD_LIBRARY_PATH=" + javaHome.resolve("lib"));
        return all;
    }

    /** Returns the functions that add the helper's own needs to profiles. */
    HelperNeeds needs() {
        return new HelperNeeds(this::withRuntime, this::view);
    }

    /** Returns the profile of a request for its helper: without network, and with the files that the helper needs. */
    private PermissionProfile view(PermissionProfile wanted) {
        return withRuntime(wanted) instanceof PermissionProfile.Managed(Restricted files, NetworkPolicy _)
                ? new PermissionProfile.Managed(
                        with(files, List.of(Entry.of(new SpecialPath.Minimal(), Access.READ))),
                        NetworkPolicy.RESTRICTED)
                : wanted;
    }

    /** Returns a profile that may also read the files that the helper runs from, which are not secret. */
    private PermissionProfile withRuntime(PermissionProfile wanted) {
        if (!(wanted instanceof PermissionProfile.Managed(Restricted files, NetworkPolicy network))) {
            return wanted;
        }
        List<Entry> own = parts().stream()
                .map(path -> Entry.of(PathUri.ofNative(path.toString()), Access.READ))
                .toList();
        return new PermissionProfile.Managed(with(files, own), network);
    }

    private List<Path> parts() {
        List<Path> parts = new ArrayList<>(List.of(javaHome, jar));
        cache.ifPresent(parts::add);
        syscalls.ifPresent(parts::add);
        return parts;
    }

    private static Restricted with(Restricted files, List<Entry> more) {
        return new Restricted(
                Stream.concat(files.entries().stream(), more.stream()).toList(), files.globScanMaxDepth());
    }

    /**
     * Refuses a view in which the runtime is writable or unreadable.
     *
     * @throws RpcException -32600
     */
    void check(ResolvedPolicy policy) {
        for (Path part : parts()) {
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
