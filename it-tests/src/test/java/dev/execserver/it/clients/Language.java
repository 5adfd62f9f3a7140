package dev.execserver.it.clients;

import dev.execserver.it.support.NpmPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/** The clients, each with its driver. */
enum Language {
    JAVA {
        @Override
        ClientDriver driver() {
            return new JavaDriver();
        }

        @Override
        List<String> example(String name) {
            throw new IllegalArgumentException("the examples of the Java client stand in docs/client.md");
        }
    },
    TYPESCRIPT {
        @Override
        ClientDriver driver() throws IOException, InterruptedException {
            return new ProgramDriver(node("test/driver.mjs"));
        }

        @Override
        List<String> example(String name) throws IOException, InterruptedException {
            return node("examples/" + name + ".mjs");
        }

        private static List<String> node(String script) throws IOException, InterruptedException {
            NpmPrograms programs = NpmPrograms.of("typescript-client");
            Path built = typescriptClient(programs);
            return List.of(programs.node().toString(), built.resolve(script).toString());
        }
    },
    PYTHON {
        @Override
        ClientDriver driver() throws IOException, InterruptedException {
            return new ProgramDriver(script("tests/driver.py"));
        }

        @Override
        List<String> example(String name) throws IOException, InterruptedException {
            return script("examples/" + name + ".py");
        }

        private static List<String> script(String name) throws IOException, InterruptedException {
            return List.of(
                    "env",
                    "PYTHONDONTWRITEBYTECODE=1",
                    "PYTHONPATH=" + CLIENTS.resolve("python"),
                    python(),
                    CLIENTS.resolve("python").resolve(name).toString());
        }
    };

    private static final Path CLIENTS = Path.of(System.getProperty("exec.server.repository", ".."))
            .toAbsolutePath()
            .normalize()
            .resolve("clients");

    /** Pythons that may have the module websockets: an own one, and that of Debian with its package. */
    private static final List<String> PYTHONS = List.of("python3", "/usr/bin/python3");

    private static Path compiled;

    abstract ClientDriver driver() throws IOException, InterruptedException;

    /** Returns the command that runs an example of this client, without its arguments. */
    abstract List<String> example(String name) throws IOException, InterruptedException;

    /** Compiles the TypeScript client beside the packages that it needs, once for a JVM. Returns its folder. */
    static synchronized Path typescriptClient(NpmPrograms programs) throws IOException, InterruptedException {
        if (compiled == null) {
            Path folder = Files.createTempDirectory(programs.file("."), "client");
            for (String part : List.of("package.json", "README.md", "tsconfig.json", "src", "test", "examples")) {
                copy(CLIENTS.resolve("typescript").resolve(part), folder.resolve(part));
            }
            run(List.of(
                    programs.node().toString(),
                    programs.file("node_modules/typescript/bin/tsc").toString(),
                    "-p",
                    folder.toString()));
            compiled = folder;
        }
        return compiled;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static String python() throws IOException, InterruptedException {
        for (String python : PYTHONS) {
            Process tried = new ProcessBuilder(python, "-c", "import websockets")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (tried.waitFor() == 0) {
                return python;
            }
        }
        throw new AssertionError(
                "no Python has the module websockets; Debian has it in the package python3-websockets: " + PYTHONS);
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(command + " has failed: " + said);
        }
    }
}
