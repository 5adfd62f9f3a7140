package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.ServerCommand;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The folder {@code server/target/dist}, copied to another place as an operator does, and its launcher. */
@Timeout(120)
class DistributionIT {
    private static final Path DIST = Path.of(System.getProperty("exec.server.dist", "../server/target/dist"))
            .toAbsolutePath()
            .normalize();

    @TempDir
    private Path folder;

    @Test
    void aCopyWithoutTheTimesOfItsFilesServesAndSaysNothing() throws Exception {
        Path launcher = copy().resolve("bin/exec-server");
        Path link = Files.createSymbolicLink(folder.resolve("exec-server"), launcher);
        Path errors = folder.resolve("errors");
        Process server = new ProcessBuilder(link.toString(), "--listen", "ws://127.0.0.1:0")
                .redirectError(errors.toFile())
                .start();
        try (BufferedReader out = server.inputReader()) {
            assertThat(out.readLine()).startsWith("ws://127.0.0.1:");
            server.toHandle().destroy();
            assertThat(out.readLine()).isNull();
            assertThat(server.waitFor()).isZero();
            assertThat(errors).isEmptyFile();
        } finally {
            server.destroyForcibly();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no cache"})
    void aCacheThatIsBrokenIsNotMissed(String content) throws Exception {
        Path dist = copy();
        Files.writeString(dist.resolve("exec-server.aot"), content);

        Ended ended = run(Map.of(), dist.resolve("bin/exec-server").toString(), "--version");
        assertThat(ended.status()).isZero();
        assertThat(ended.out()).startsWith("exec-server ").hasLineCount(3);
        assertThat(ended.err()).isEmpty();
    }

    @Test
    void aClientCommandStartsWithACacheOfItsOwn() throws Exception {
        Path dist = copy();
        Files.copy(Path.of(System.getProperty("java.home"), "release"), dist.resolve("jdk-release"), REPLACE_EXISTING);
        Files.writeString(dist.resolve("exec-server.aot"), "of the server");
        Files.writeString(dist.resolve("client.aot"), "of a client");

        Map<String, String> flags = Map.of("EXEC_SERVER_JAVA_OPTS", "-XX:+PrintFlagsFinal");
        assertThat(run(flags, launcher(dist), "ps", "--help").err())
                .contains("/client.aot")
                .doesNotContain("exec-server.aot");
        assertThat(run(flags, launcher(dist), "--version").err())
                .contains("/exec-server.aot")
                .doesNotContain("client.aot");
    }

    @Test
    void aCacheOfAnotherBuildOfTheJdkIsLeftOut() throws Exception {
        Path dist = copy();
        Files.writeString(dist.resolve("jdk-release"), "JAVA_VERSION=\"25.0.0\"\n");

        Ended ended = run(Map.of("EXEC_SERVER_JAVA_OPTS", "-XX:+PrintFlagsFinal"), launcher(dist), "--version");
        assertThat(ended.status()).isZero();
        assertThat(ended.err()).contains("AOTCache ").doesNotContain("exec-server.aot");
    }

    /** JVMS section 4.1: the major version of class files of Java 21 is 65. */
    @ParameterizedTest
    @ValueSource(strings = {"client", "protocol"})
    void theJavaClientIsMadeForJava21(String module) throws IOException {
        int java21 = 65;
        try (Stream<Path> files = Files.list(DIST.resolve("lib"))) {
            Path jar = files.filter(file -> file.getFileName().toString().startsWith("exec-server-" + module + "-"))
                    .findFirst()
                    .orElseThrow();
            try (JarFile classes = new JarFile(jar.toFile())) {
                List<JarEntry> found = classes.stream()
                        .filter(entry -> entry.getName().endsWith(".class"))
                        .toList();
                assertThat(found).hasSizeGreaterThan(50);
                for (JarEntry entry : found) {
                    try (DataInputStream in = new DataInputStream(classes.getInputStream(entry))) {
                        in.readInt();
                        in.readUnsignedShort();
                        assertThat(in.readUnsignedShort()).as(entry.getName()).isLessThanOrEqualTo(java21);
                    }
                }
            }
        }
    }

    @Test
    void withoutAJdkItSaysInOneLineWhatIsNeeded() throws Exception {
        Ended ended = run(Map.of("JAVA_HOME", "/nonexistent"), withoutJdk(launcher(DIST), "--version"));

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err())
                .isEqualTo(
                        "exec-server: a JDK 25 is needed and was not found; install one (for example Temurin 25) and "
                                + "set JAVA_HOME to its folder.\n");
    }

    @Test
    void anOlderJdkIsNamed() throws Exception {
        Path old = Files.createDirectories(folder.resolve("jdk-21/bin")).getParent();
        Files.createFile(old.resolve("bin/java")).toFile().setExecutable(true);
        Files.writeString(old.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"21.0.3\"\n");

        Ended ended = run(Map.of("JAVA_HOME", old.toString()), withoutJdk(launcher(DIST), "--version"));
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.err())
                .isEqualTo(
                        "exec-server: a JDK 25 is needed, and " + old + " is version 21.0.3; install one (for example "
                                + "Temurin 25) and set JAVA_HOME to its folder.\n");
    }

    @Test
    void aClosedInputHasEnded() throws Exception {
        Ended stdio = run(Map.of(), "sh", "-c", "exec \"$@\" <&-", "sh", launcher(DIST), "--listen", "stdio");
        assertThat(stdio).isEqualTo(new Ended(0, "", ""));

        Ended version = run(Map.of(), "sh", "-c", "exec \"$@\" <&- 2>&-", "sh", launcher(DIST), "--version");
        assertThat(version.status()).isZero();
        assertThat(version.out()).startsWith("exec-server ");

        Ended nothing = run(Map.of(), "sh", "-c", "exec \"$@\" <&- >&- 2>&-", "sh", launcher(DIST), "--version");
        assertThat(nothing).isEqualTo(new Ended(0, "", ""));
    }

    @Test
    void aBareJvmWithAClosedStreamIsRefused() throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" <&-", "sh"));
        command.addAll(ServerCommand.of(List.of("--listen", "stdio")));
        assertThat(run(Map.of(), command.toArray(String[]::new)))
                .isEqualTo(new Ended(
                        1, "", "Error: standard input is closed; give the program one, for example </dev/null\n"));

        command.set(2, "exec \"$@\" >&-");
        assertThat(run(Map.of(), command.toArray(String[]::new)))
                .isEqualTo(new Ended(
                        1, "", "Error: standard output is closed; give the program one, for example 1>/dev/null\n"));
    }

    /** A place where no JDK can be seen, and no java on the PATH. */
    private static String[] withoutJdk(String... command) {
        List<String> words = new ArrayList<>(List.of("bwrap", "--dev-bind", "/", "/"));
        for (String place : List.of("/usr/lib/jvm", "/opt", "/usr/java")) {
            if (Files.isDirectory(Path.of(place))) {
                words.addAll(List.of("--tmpfs", place));
            }
        }
        // The distribution and the folder of this test may lie below /opt.
        words.addAll(List.of("--bind", DIST.toString(), DIST.toString(), "env", "HOME=/nonexistent", "SDKMAN_DIR="));
        words.addAll(List.of(command));
        return words.toArray(String[]::new);
    }

    private static String launcher(Path dist) {
        return dist.resolve("bin/exec-server").toString();
    }

    private Path copy() throws IOException {
        Path target = folder.resolve("opt server");
        Files.walkFileTree(DIST, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                Files.createDirectories(target.resolve(DIST.relativize(directory)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Path copy = Files.copy(file, target.resolve(DIST.relativize(file)));
                Files.setPosixFilePermissions(copy, Files.getPosixFilePermissions(file));
                return FileVisitResult.CONTINUE;
            }
        });
        return target;
    }

    private record Ended(int status, String out, String err) {}

    private Ended run(Map<String, String> environment, String... command) throws Exception {
        Path out = Files.createTempFile(folder, "out", "");
        Path err = Files.createTempFile(folder, "err", "");
        ProcessBuilder builder = new ProcessBuilder(Arrays.asList(command))
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().putAll(environment);
        int status = builder.start().waitFor();
        return new Ended(status, Files.readString(out, UTF_8), Files.readString(err, UTF_8));
    }
}
