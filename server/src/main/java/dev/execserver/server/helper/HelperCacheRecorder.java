package dev.execserver.server.helper;

import dev.execserver.protocol.fs.FileRequest;
import dev.execserver.protocol.fs.OpenMode;
import dev.execserver.protocol.fs.OpenParams;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.io.Buffers;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.linux.SocketCalls;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ExitStatus;
import dev.execserver.sandbox.spawn.ProcessMarks;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.spawn.Stdio;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.MemoryBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes the start-up cache of the launcher jar; run by the packaging. A helper with the options of every helper records
 * while it is asked for each kind of request. A second one proves that the JVM accepts the cache. Not a command.
 */
final class HelperCacheRecorder {

    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final int ROUNDS = 300;
    private static final int SIGKILL = 9;

    private final Path jar;

    private HelperCacheRecorder(Path jar) {
        this.jar = jar;
    }

    /** Arguments: {@code LAUNCHER_JAR CACHE}. The exit status is 0 on success. */
    public static void main(String[] arguments) throws Exception {
        HelperCacheRecorder rehearsal =
                new HelperCacheRecorder(Path.of(arguments[0]).toRealPath());
        Path cache = Path.of(arguments[1]).toAbsolutePath();
        Path directory = Files.createTempDirectory("exec-server-rehearsal");
        try {
            rehearsal.run("-XX:AOTCacheOutput=" + cache, "-XX:AOTMode=auto", directory, ROUNDS);
            // With AOTMode=on a JVM that cannot use the cache refuses to start.
            rehearsal.run("-XX:AOTCache=" + cache, "-XX:AOTMode=on", directory, 1);
        } finally {
            Files.delete(directory);
        }
    }

    private void run(String option, String mode, Path directory, int rounds) throws Exception {
        HelperRuntime java = new HelperRuntime(
                Path.of(System.getProperty("java.home")).toRealPath(), jar, Optional.empty(), Optional.empty());
        List<String> argv = new ArrayList<>(java.argv());
        argv.addAll(1, List.of(option, mode));
        try (Poller poller = new Poller();
                Spawner spawner = new Spawner(poller)) {
            Child child = spawner.spawn(new SpawnRequest(
                    java.program(),
                    argv,
                    java.environment(HelperLauncher.ENVIRONMENT),
                    "/",
                    new Stdio.Channel(),
                    ProcessMarks.create().next()));
            try {
                HelperProcess helper = HelperProcess.of(new StartedHelper(child, () -> {}), new Buffers(1));
                for (int round = 0; round < rounds; round++) {
                    askForEverything(helper, directory);
                }
                // Now a second JVM writes the cache, with the same streams, which must stay open.
                child.stdout().use(HelperCacheRecorder::endSending);
                ExitStatus exit = child.awaitExit(LIMIT)
                        .orElseThrow(
                                () -> new IOException("the helper has not ended after " + LIMIT.toSeconds() + " s"));
                if (exit.code() != 0) {
                    throw new IOException("the helper has ended with status " + exit.code());
                }
            } finally {
                child.signal(SIGKILL);
            }
        }
    }

    private static void askForEverything(HelperProcess helper, Path directory) throws Exception {
        String file = directory.resolve("file").toString();
        String copy = directory.resolve("copy").toString();
        ask(helper, "fs/writeFile", "{'path':'%s','dataBase64':'aGVsbG8K'}".formatted(file));
        ask(helper, "fs/readFile", "{'path':'%s'}".formatted(file));
        ask(helper, "fs/getMetadata", "{'path':'%s'}".formatted(file));
        ask(helper, "fs/canonicalize", "{'path':'%s'}".formatted(file));
        ask(helper, "fs/writeFile", "{'path':'%s','dataBase64':'aGVsbG8K','atomic':true}".formatted(file));
        ask(helper, "fs/copy", "{'sourcePath':'%s','destinationPath':'%s','recursive':false}".formatted(file, copy));
        ask(helper, "fs/readDirectory", "{'path':'%s'}".formatted(directory));
        ask(helper, "fs/search", "{'path':'%s','pattern':'hel+o','regex':true}".formatted(directory));
        ask(helper, "fs/walk", """
                {'path':'%s','options':{'maxDepth':9,'maxDirectories':9,'maxEntries':9,'followDirectorySymlinks':false}}""".formatted(directory));
        OpenParams open = new OpenParams("h", PathUri.ofNative(file), OpenMode.READ, Optional.empty());
        helper.open(open, memory()).close();
        ask(helper, "fs/remove", "{'path':'%s'}".formatted(copy));
        ask(helper, "fs/remove", "{'path':'%s'}".formatted(file));
        ask(helper, "fs/createDirectory", "{'path':'%s'}".formatted(directory));
        try {
            ask(helper, "fs/readFile", "{'path':'%s'}".formatted(file));
        } catch (RpcException expected) {
            // the file was just removed; errors are to be recorded too
        }
    }

    private static boolean endSending(int socket) {
        SocketCalls.endSending(socket);
        return true;
    }

    private static void ask(HelperProcess helper, String method, String params) throws Exception {
        JsonSlice json = JsonSlice.of(params.replace('\'', '"'));
        var unused = helper.run(FileRequest.read(method, json, Dialect.OPEN), memory());
    }

    private static AnswerMemory memory() {
        return new AnswerMemory(new MemoryBudget(1L << 20, Duration.ofSeconds(1)));
    }
}
