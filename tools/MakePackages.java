import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Makes packages of a distribution that need no Java: a tarball that runs in any folder, and a Debian package. Both have a
 * runtime of their own, linked from the JDK that runs this program, and start-up caches that fit it.
 *
 * <p>Usage: {@code java MakePackages.java REPOSITORY DIST FOLDER [--quick]}. Quick packages have no caches and are hardly
 * compressed; they are for tests. Needs tar(1) and dpkg-deb(1).
 */
final class MakePackages {
    /** Modules of the runtime; the same as in docker/Dockerfile, which says why. */
    private static final String MODULES =
            "java.logging,java.management,java.naming,java.net.http,jdk.jcmd,jdk.management,jdk.unsupported";

    /** Parts of a distribution that fit only its own machine. */
    private static final Set<String> LEFT_OUT =
            Set.of(".built", "exec-server.aot", "helper.aot", "client.aot", "jdk-release");

    private static final List<String> DOCUMENTS =
            List.of("README.md", "SECURITY.md", "CHANGELOG.md", "CONTRIBUTING.md");
    private static final List<String> SCRIPTS = List.of("preinst", "postinst", "prerm", "postrm");

    /** Time of all files, as in the archives of the build. Caches hold the times of the files that they belong to. */
    private static final FileTime TIME = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));

    private final Path repository;
    private final Path dist;
    private final Path folder;
    private final boolean quick;
    private final String version;

    private MakePackages(Path repository, Path dist, Path folder, boolean quick) throws IOException {
        this.repository = repository;
        this.dist = dist;
        this.folder = folder;
        this.quick = quick;
        this.version = version(dist);
    }

    public static void main(String[] args) throws Exception {
        Path folder = Files.createDirectories(Path.of(args[2])).toRealPath();
        boolean quick = args.length > 3 && args[3].equals("--quick");
        MakePackages packages =
                new MakePackages(Path.of(args[0]).toRealPath(), Path.of(args[1]).toRealPath(), folder, quick);
        Path program = packages.program();
        packages.tarball(program);
        packages.debian(program);
    }

    /** Makes the folder that both packages hold. */
    private Path program() throws Exception {
        Path program = folder.resolve("exec-server-" + version + "-linux-" + System.getProperty("os.arch"));
        delete(program);
        copy(dist, program);
        run(
                Path.of(System.getProperty("java.home"), "bin", "jlink").toString(),
                "--add-modules",
                MODULES,
                "--strip-java-debug-attributes",
                "--no-header-files",
                "--no-man-pages",
                "--compress",
                quick ? "zip-0" : "zip-6",
                "--output",
                program.resolve("runtime").toString());
        setTimes(program);
        if (!quick) {
            train(program);
        }
        return program;
    }

    /** Makes the caches with the runtime that will use them. It has no compiler, so the tools are compiled first. */
    private void train(Path program) throws Exception {
        Path tools = folder.resolve("tools");
        List<String> compile = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "javac").toString(), "-d", tools.toString()));
        for (String tool : List.of("MakeDist", "BundledBubblewrap", "TrainingRun", "TrainingClient", "TrainingMcp")) {
            compile.add(repository.resolve("tools/" + tool + ".java").toString());
        }
        run(compile.toArray(String[]::new));
        run(
                program.resolve("runtime/bin/java").toString(),
                "-cp",
                tools.toString(),
                "MakeDist",
                "--train",
                program.toString());
        delete(tools);
    }

    private void tarball(Path program) throws Exception {
        documents(program.resolve("doc"));
        copy(repository.resolve("deploy/systemd"), program.resolve("systemd"));
        run(
                "tar",
                "--create",
                "--file=" + folder.resolve(program.getFileName() + ".tar.gz"),
                quick ? "--use-compress-program=gzip -1" : "--gzip",
                "--owner=0",
                "--group=0",
                "--numeric-owner",
                "--sort=name",
                "--directory=" + folder,
                program.getFileName().toString());
        delete(program.resolve("doc"));
        delete(program.resolve("systemd"));
    }

    private void debian(Path program) throws Exception {
        Path root = folder.resolve("debian");
        delete(root);
        Path lib = root.resolve("usr/lib/exec-server");
        Files.createDirectories(lib.getParent());
        // Moved, not copied: the times of the files stay.
        Files.move(program, lib);
        Files.createDirectories(root.resolve("usr/bin"));
        Files.createSymbolicLink(root.resolve("usr/bin/exec-server"), Path.of("../lib/exec-server/bin/exec-server"));
        Path doc = root.resolve("usr/share/doc/exec-server");
        documents(doc);
        file("deploy/debian/copyright", doc.resolve("copyright"), "rw-r--r--");
        file("deploy/systemd/credentials.conf", doc.resolve("examples/credentials.conf"), "rw-r--r--");
        for (String unit : List.of("exec-server.service", "exec-server.socket")) {
            file(
                    "deploy/systemd/" + unit,
                    root.resolve("usr/lib/systemd/system").resolve(unit),
                    "rw-r--r--");
        }
        file("deploy/exec-server.properties", root.resolve("etc/exec-server/exec-server.properties"), "rw-r--r--");
        control(root);
        run(
                "dpkg-deb",
                "--root-owner-group",
                "-Zgzip",
                quick ? "-z1" : "-z9",
                "--build",
                root.toString(),
                folder.resolve("exec-server_" + debianVersion() + "_" + architecture() + ".deb")
                        .toString());
        delete(root);
    }

    private void control(Path root) throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
                    .toList()) {
                bytes += Files.size(file);
            }
        }
        String control = Files.readString(repository.resolve("deploy/debian/control"))
                .replace("@VERSION@", debianVersion())
                .replace("@ARCHITECTURE@", architecture())
                .replace("@SIZE@", Long.toString(bytes / 1024));
        Path folder = Files.createDirectories(root.resolve("DEBIAN"));
        Files.writeString(folder.resolve("control"), control);
        Files.writeString(folder.resolve("conffiles"), "/etc/exec-server/exec-server.properties\n");
        for (String script : SCRIPTS) {
            file("deploy/debian/" + script, folder.resolve(script), "rwxr-xr-x");
        }
    }

    private void documents(Path target) throws IOException {
        for (String name : DOCUMENTS) {
            file(name, target.resolve(name), "rw-r--r--");
        }
        copy(repository.resolve("docs"), target.resolve("docs"));
    }

    /** Returns the version that Debian sorts before the release: 0.1.0~snapshot. */
    private String debianVersion() {
        return version.replace("-SNAPSHOT", "~snapshot");
    }

    private static String architecture() {
        return System.getProperty("os.arch").equals("aarch64") ? "arm64" : System.getProperty("os.arch");
    }

    /** Reads the version in the name of one of our jars. */
    private static String version(Path dist) throws IOException {
        String prefix = "exec-server-protocol-";
        try (Stream<Path> files = Files.list(dist.resolve("lib"))) {
            String jar = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(prefix))
                    .findFirst()
                    .orElseThrow(() -> new IOException(dist + " is no distribution"));
            return jar.substring(prefix.length(), jar.length() - ".jar".length());
        }
    }

    private void file(String source, Path target, String mode) throws IOException {
        Files.createDirectories(target.getParent());
        Files.copy(repository.resolve(source), target, StandardCopyOption.REPLACE_EXISTING);
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString(mode));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                if (!LEFT_OUT.contains(file.getFileName().toString())) {
                    Path target = to.resolve(from.relativize(file).toString());
                    Files.createDirectories(target.getParent());
                    Files.copy(file, target);
                    boolean runs = Files.isDirectory(file) || Files.isExecutable(file);
                    Files.setPosixFilePermissions(
                            target, PosixFilePermissions.fromString(runs ? "rwxr-xr-x" : "rw-r--r--"));
                }
            }
        }
    }

    private static void setTimes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                if (!Files.isSymbolicLink(file)) {
                    Files.setLastModifiedTime(file, TIME);
                }
            }
        }
    }

    private static void run(String... command) throws IOException, InterruptedException {
        int status = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (status != 0) {
            throw new IOException(String.join(" ", command) + " ended with " + status);
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }
}
