package dev.execserver.it.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.Examples;
import dev.execserver.it.support.NpmPrograms;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.VarTmp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A stranger's way: the quick starts of the documents run in an empty folder from the packed artefacts alone, which are the
 * tarball of npm, the wheel, and the jars in a repository of Maven.
 */
@Timeout(300)
class PackedClientsIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private static final Path REPOSITORY = Path.of(System.getProperty("exec.server.repository", ".."))
            .toAbsolutePath()
            .normalize();
    private static final Path CLIENTS = REPOSITORY.resolve("clients");
    private static final String VERSION = "0.1.0-SNAPSHOT";

    /** Debian's, which has pip, setuptools, wheel and websockets as packages. */
    private static final String PYTHON = "/usr/bin/python3";

    @TempDir(factory = VarTmp.class)
    private Path directory;

    private Path packed;
    private Path empty;

    @BeforeEach
    void folders() throws IOException {
        packed = Files.createDirectory(directory.resolve("packed"));
        empty = Files.createDirectory(directory.resolve("empty"));
    }

    private static String url() {
        return "ws://127.0.0.1:" + SERVER.port();
    }

    private static String run(Path in, Map<String, String> environment, List<String> command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).directory(in.toFile());
        builder.environment().putAll(environment);
        Path errors = Files.createTempFile(in.getParent(), "stderr", ".txt");
        builder.redirectError(errors.toFile());
        Process process = builder.start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(240, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue())
                .as("%s%n%s%n%s", command, out, Files.readString(errors))
                .isZero();
        return out;
    }

    private static Path only(Path folder, String end) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(end))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void assertShownOnThePage(String printed) throws IOException {
        assertThat(Files.readString(REPOSITORY.resolve("docs/clients.md"))).contains("```\n" + printed + "```");
    }

    @Test
    void theTarballOfNpm() throws Exception {
        NpmPrograms programs = NpmPrograms.of("typescript-client");
        Path built = Language.typescriptClient(programs);
        run(built, Map.of(), List.of("npm", "pack", "--ignore-scripts", "--pack-destination", packed.toString()));
        run(
                empty,
                Map.of(),
                List.of(
                        "npm",
                        "install",
                        "--offline",
                        "--install-links",
                        "--ignore-scripts",
                        "--no-audit",
                        "--no-fund",
                        only(packed, ".tgz").toString(),
                        programs.file("node_modules/ws").toString()));
        Files.copy(CLIENTS.resolve("typescript/examples/quickstart.mjs"), empty.resolve("quickstart.mjs"));

        assertShownOnThePage(run(empty, Map.of(), List.of(programs.node().toString(), "quickstart.mjs", url())));
        assertThat(empty.resolve("node_modules/exec-server-client/src")).doesNotExist();
    }

    @Test
    void theWheel() throws Exception {
        Path source = directory.resolve("source");
        run(directory, Map.of(), List.of("cp", "-r", CLIENTS.resolve("python").toString(), source.toString()));
        List<String> pip = List.of(PYTHON, "-m", "pip", "--disable-pip-version-check", "-q");
        run(
                empty,
                Map.of(),
                Stream.concat(
                                pip.stream(),
                                Stream.of(
                                        "wheel",
                                        "--no-index",
                                        "--no-deps",
                                        "--no-build-isolation",
                                        "-w",
                                        packed.toString(),
                                        source.toString()))
                        .toList());
        Path installed = directory.resolve("installed");
        run(
                empty,
                Map.of(),
                Stream.concat(
                                pip.stream(),
                                Stream.of(
                                        "install",
                                        "--no-index",
                                        "--no-deps",
                                        "--target",
                                        installed.toString(),
                                        only(packed, ".whl").toString()))
                        .toList());
        Files.copy(CLIENTS.resolve("python/examples/quickstart.py"), empty.resolve("quickstart.py"));

        assertShownOnThePage(
                run(empty, Map.of("PYTHONPATH", installed.toString()), List.of(PYTHON, "quickstart.py", url())));
        assertThat(installed.resolve("exec_server_client/py.typed")).exists();
    }

    @Test
    void theJarsInARepositoryOfMaven() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        deploy("exec-server-parent", REPOSITORY.resolve("pom.xml"), List.of());
        deploy("exec-server-bom", REPOSITORY.resolve("client/bom/pom.xml"), List.of());
        deploy("exec-server-protocol", REPOSITORY.resolve("protocol/pom.xml"), List.of(jar("protocol", "")));
        deploy("exec-server-client", REPOSITORY.resolve("client/pom.xml"), List.of(jar("client", "")));
        Files.writeString(empty.resolve("settings.xml"), settings());
        Files.writeString(empty.resolve("pom.xml"), consumer());
        run(
                empty,
                Map.of("JAVA_HOME", System.getProperty("java.home")),
                List.of(
                        "mvn",
                        "-B",
                        "-q",
                        "-s",
                        "settings.xml",
                        "-Dmaven.repo.local=" + directory.resolve("local"),
                        "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:build-classpath",
                        "-Dmdep.outputFile=classpath"));
        String classpath = Files.readString(empty.resolve("classpath")).strip();
        assertThat(classpath.split(":")).hasSize(3);
        Examples.Example example = Examples.in(Files.readString(REPOSITORY.resolve("docs/client.md"))).stream()
                .filter(one -> one.name().equals("client"))
                .findFirst()
                .orElseThrow();
        Files.writeString(empty.resolve("Example.java"), example.script());

        String printed = run(empty, Map.of("EXEC_SERVER_URL", url()), List.of(java, "-cp", classpath, "Example.java"));
        assertThat(printed.lines()).containsExactlyElementsOf(example.expected());

        String modules =
                run(empty, Map.of(), List.of(java, "-p", classpath, "--describe-module", "dev.execserver.client"));
        assertThat(modules)
                .contains("requires dev.execserver.protocol transitive")
                .contains("exports dev.execserver.client\n");
    }

    private static Path jar(String module, String classifier) {
        return REPOSITORY.resolve(module + "/target/exec-server-" + module + "-" + VERSION + classifier + ".jar");
    }

    private void deploy(String artefact, Path pom, List<Path> jars) throws IOException {
        Path folder = Files.createDirectories(packed.resolve("dev/execserver/" + artefact + "/" + VERSION));
        Files.copy(pom, folder.resolve(artefact + "-" + VERSION + ".pom"));
        for (Path jar : jars) {
            Files.copy(jar, folder.resolve(jar.getFileName()));
        }
    }

    /** Everything that is not ours comes from the local repository of the build, so that nothing is downloaded. */
    private static String settings() {
        return """
                <settings><mirrors><mirror><id>central</id><mirrorOf>central</mirrorOf>
                <url>file://%s/.m2/repository</url></mirror></mirrors></settings>
                """.formatted(System.getProperty("user.home"));
    }

    private String consumer() {
        return """
                <project><modelVersion>4.0.0</modelVersion>
                <groupId>stranger</groupId><artifactId>stranger</artifactId><version>1</version>
                <repositories><repository><id>packed</id><url>file://%s</url></repository></repositories>
                <dependencyManagement><dependencies><dependency><groupId>dev.execserver</groupId>
                <artifactId>exec-server-bom</artifactId><version>%s</version><type>pom</type><scope>import</scope>
                </dependency></dependencies></dependencyManagement>
                <dependencies><dependency><groupId>dev.execserver</groupId>
                <artifactId>exec-server-client</artifactId></dependency></dependencies></project>
                """.formatted(packed, VERSION);
    }
}
