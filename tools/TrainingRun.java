import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Starts the packaged server with the flags of its users, lets {@link TrainingClient} use it and stops it. In a
 * {@linkplain #record recording} run the JVM writes the AOT cache at its end. It starts a second JVM for that, so the cache
 * is complete when the server has ended.
 */
final class TrainingRun {
    private static final long START_SECONDS = 60;
    private static final long STOP_SECONDS = 180;

    private TrainingRun() {}

    static final class Failed extends Exception {
        private static final long serialVersionUID = 1L;

        Failed(String message) {
            super(message);
        }
    }

    static void record(Path dist, Path cache) throws Failed, IOException, InterruptedException {
        Files.deleteIfExists(cache);
        Path jar = dist.resolve("exec-server.jar");
        List<String> rehearsal = List.of("-cp", jar.toString(), "dev.execserver.server.CacheTrainingMain");
        run(dist, "-XX:AOTCacheOutput=" + cache, "-XX:AOTMode=auto", rehearsal, TrainingRun::work);
        if (!Files.exists(cache)) {
            throw new Failed("the JVM ended without writing " + cache.getFileName());
        }
    }

    /** Checks the cache: with AOTMode=on, a JVM that cannot use it refuses to start. */
    static void check(Path dist, Path cache) throws Failed, IOException, InterruptedException {
        List<String> program = List.of("-jar", dist.resolve("exec-server.jar").toString());
        run(dist, "-XX:AOTCache=" + cache, "-XX:AOTMode=on", program, TrainingClient::greet);
    }

    private static void work(URI server) throws Exception {
        TrainingClient.work(server);
        TrainingMcp.work(server);
    }

    /** Records the cache of the client commands: one of them runs a program on a server, and is a third of a server to load. */
    static void recordClient(Path dist, Path cache) throws Failed, IOException, InterruptedException {
        Files.deleteIfExists(cache);
        List<String> program = List.of("-jar", dist.resolve("exec-server.jar").toString());
        run(dist, "-XX:AOTCache=" + dist.resolve("exec-server.aot"), "-XX:AOTMode=auto", program, server -> {
            Process client = new ProcessBuilder(
                            java(),
                            "@" + dist.resolve("exec-server.vmoptions"),
                            "-XX:AOTCacheOutput=" + cache,
                            "-jar",
                            dist.resolve("exec-server.jar").toString(),
                            "run",
                            "--url",
                            server.toString(),
                            "--",
                            "true")
                    .redirectErrorStream(true)
                    .start();
            client.getOutputStream().close();
            String said = new String(client.getInputStream().readAllBytes());
            if (client.waitFor() != 0 || !Files.exists(cache)) {
                throw new Failed("the rehearsal of a client command wrote no cache\n" + said);
            }
        });
    }

    /** Writes the system call library, with which server and helper start faster. */
    static void writeSyscallLibrary(Path dist) throws Failed, IOException, InterruptedException {
        Process writer = new ProcessBuilder(
                        java(),
                        "-cp",
                        dist.resolve("exec-server.jar").toString(),
                        "dev.execserver.sandbox.linux.SyscallLibrary",
                        dist.resolve("libsyscall.so").toString())
                .inheritIO()
                .start();
        if (writer.waitFor() != 0) {
            throw new Failed("the library for system calls was not written");
        }
    }

    /**
     * Records the cache of the helper. A program in the server starts the helper in the right way and checks the cache, too.
     */
    static void recordHelper(Path dist, Path cache) throws Failed, IOException, InterruptedException {
        Files.deleteIfExists(cache);
        Path log = Files.createTempFile("exec-server-training", ".log");
        Process rehearsal = new ProcessBuilder(
                        java(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        dist.resolve("exec-server.jar").toString(),
                        "dev.execserver.server.helper.HelperCacheRecorder",
                        dist.resolve("helper.jar").toString(),
                        cache.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            boolean ended = rehearsal.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
            if (!ended || rehearsal.exitValue() != 0 || !Files.exists(cache)) {
                throw new Failed("the rehearsal of the file helper "
                        + (ended ? "ended with exit code " + rehearsal.exitValue() : "did not end") + "\n"
                        + Files.readString(log));
            }
        } finally {
            rehearsal.destroyForcibly().waitFor();
            Files.delete(log);
        }
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private interface Work {
        void with(URI server) throws Exception;
    }

    private static void run(Path dist, String option, String mode, List<String> program, Work work)
            throws Failed, IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(java());
        command.add("@" + dist.resolve("exec-server.vmoptions"));
        command.addAll(List.of(option, mode));
        command.addAll(program);
        command.addAll(List.of("serve", "--listen", "ws://127.0.0.1:0", "--mcp", "on"));
        Path errors = Files.createTempFile("exec-server-training", ".log");
        Process server =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        try (BufferedReader out = server.inputReader()) {
            server.getOutputStream().close();
            work.with(URI.create(firstLine(out)));
            server.destroy();
            if (!server.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                throw new Failed("the server had not ended " + STOP_SECONDS + " s after SIGTERM");
            }
            if (server.exitValue() != 0) {
                throw new Failed("the server ended with exit code " + server.exitValue());
            }
        } catch (InterruptedException interrupted) {
            throw interrupted;
        } catch (Exception failure) {
            String what = failure instanceof Failed ? failure.getMessage() : failure.toString();
            throw new Failed(what + "\n" + Files.readString(errors));
        } finally {
            server.destroyForcibly().waitFor();
            Files.delete(errors);
        }
    }

    private static String firstLine(BufferedReader out) throws Exception {
        CompletableFuture<String> line = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("training-stdout").start(() -> {
            try {
                line.complete(out.readLine());
            } catch (IOException failure) {
                line.completeExceptionally(failure);
            }
        });
        try {
            String url = line.get(START_SECONDS, TimeUnit.SECONDS);
            if (url == null || !url.startsWith("ws://")) {
                throw new Failed("the first line of stdout is no ws:// URL but " + url);
            }
            return url;
        } catch (TimeoutException late) {
            throw new Failed("no URL on stdout after " + START_SECONDS + " s");
        } catch (ExecutionException failure) {
            throw new Failed("stdout cannot be read: " + failure.getCause());
        }
    }
}
