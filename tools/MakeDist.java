import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Builds the runnable server in {@code server/target/dist}: exec-server.jar, lib/ (with the SDK of OpenTelemetry in lib/otel), helper.jar, bin/, exec-server.vmoptions,
 * libsyscall.so and the bill of materials exec-server.cdx.json; exec-server.aot, helper.aot and client.aot from training runs; and a bubblewrap in lib/ if this machine has Debian's
 * package.
 *
 * <p>The parts are made in {@code dist-new} and renamed, so a server that runs from the old folder keeps its open files. The
 * training run happens in the final place; if it fails, the old folder is moved back.
 *
 * <p>Usage: {@code java MakeDist.java SERVER_MODULE BUILD_START} (an ISO instant, becomes the time of {@code .built});
 * {@code java MakeDist.java --train DIST} only makes new AOT caches, for the JDK that runs this program.
 */
final class MakeDist {
    private MakeDist() {}

    public static void main(String[] args) throws Exception {
        try {
            if (args[0].equals("--train")) {
                train(Path.of(args[1]).toRealPath());
            } else {
                // Maven gives whole seconds only. It reads no source in the first second, so the time is rounded up.
                Instant started = Instant.parse(args[1]).plusSeconds(1);
                make(Path.of(args[0]).resolve("target"), Path.of(args[0], "src", "dist"), started);
            }
        } catch (TrainingRun.Failed failed) {
            System.err.println("The training run for the AOT cache failed: " + failed.getMessage());
            System.exit(1);
        }
    }

    private static void make(Path target, Path sources, Instant started) throws Exception {
        Path parts = target.resolve("dist-parts");
        Path fresh = target.resolve("dist-new");
        delete(fresh);
        Files.createDirectories(fresh.resolve("lib"));
        copy(target.resolve("exec-server.jar"), fresh.resolve("exec-server.jar"));
        copy(parts.resolve("helper.jar"), fresh.resolve("helper.jar"));
        Path materials = parts.resolve("exec-server.cdx.json");
        if (Files.exists(materials)) {
            copy(materials, fresh.resolve("exec-server.cdx.json"));
        } else {
            System.err.println("No bill of materials in the distribution: Maven makes none when it is offline.");
        }
        copy(sources.resolve("exec-server.vmoptions"), fresh.resolve("exec-server.vmoptions"));
        Files.createDirectories(fresh.resolve("bin"));
        copy(sources.resolve("bin/launcher.sh"), fresh.resolve("bin/launcher.sh"));
        copy(sources.resolve("bin/exec-server"), fresh.resolve("bin/exec-server"));
        Files.setPosixFilePermissions(fresh.resolve("bin/exec-server"), PosixFilePermissions.fromString("rwxr-xr-x"));
        for (String entry : classPath(fresh.resolve("exec-server.jar"))) {
            copy(parts.resolve(entry), fresh.resolve(entry));
        }
        copyFolder(parts.resolve("lib/otel"), fresh.resolve("lib/otel"));
        BundledBubblewrap.addTo(fresh.resolve("lib"));
        Path dist = target.resolve("dist");
        Path old = target.resolve("dist-old");
        delete(old);
        if (Files.exists(dist)) {
            Files.move(dist, old);
        }
        Files.move(fresh, dist);
        try {
            train(dist);
            checkElsewhere(dist, target.resolve("dist-check"));
        } catch (TrainingRun.Failed failed) {
            Files.move(dist, fresh);
            if (Files.exists(old)) {
                Files.move(old, dist);
            }
            throw failed;
        }
        Files.writeString(dist.resolve(".built"), "");
        Files.setLastModifiedTime(dist.resolve(".built"), FileTime.from(started));
        delete(old);
    }

    /**
     * Checks the distribution under another path, as images have it. The JVM accepts the cache there, but then classes have
     * no code source.
     */
    private static void checkElsewhere(Path dist, Path links) throws Exception {
        delete(links);
        try (Stream<Path> files = Files.walk(dist)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path link = links.resolve(dist.relativize(file));
                Files.createDirectories(link.getParent());
                Files.createLink(link, file);
            }
        }
        TrainingRun.check(links, links.resolve("exec-server.aot"));
        delete(links);
    }

    /** Makes the caches and records their JDK: a server refuses at its start the cache of another JDK build. */
    private static void train(Path dist) throws Exception {
        TrainingRun.writeSyscallLibrary(dist);
        Path helper = dist.resolve("helper.aot.new");
        TrainingRun.recordHelper(dist, helper);
        Files.move(helper, dist.resolve("helper.aot"), StandardCopyOption.REPLACE_EXISTING);
        Path cache = dist.resolve("exec-server.aot");
        Path fresh = dist.resolve("exec-server.aot.new");
        try {
            TrainingRun.record(dist, fresh);
        } catch (TrainingRun.Failed once) {
            // A machine that is busy with other builds can exceed a time limit of the run. A real fault shows again.
            System.err.println("The training run for the AOT cache failed, one more try: " + once.getMessage());
            TrainingRun.record(dist, fresh);
        }
        Files.move(fresh, cache, StandardCopyOption.REPLACE_EXISTING);
        TrainingRun.check(dist, cache);
        Path client = dist.resolve("client.aot.new");
        TrainingRun.recordClient(dist, client);
        Files.move(client, dist.resolve("client.aot"), StandardCopyOption.REPLACE_EXISTING);
        copy(Path.of(System.getProperty("java.home"), "release"), dist.resolve("jdk-release"));
    }

    /** Returns the entries of the manifest, without files that an earlier build may have left among the parts. */
    private static List<String> classPath(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return List.of(file.getManifest()
                    .getMainAttributes()
                    .getValue(Attributes.Name.CLASS_PATH)
                    .split(" "));
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void copyFolder(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                copy(file, to.resolve(file.getFileName()));
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }
}
