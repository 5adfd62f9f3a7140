package dev.execserver.it.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.client.ClientOptions;
import dev.execserver.client.ConnectionListener;
import dev.execserver.client.ExecServerClient;
import dev.execserver.client.command.CommandResult;
import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.client.error.ExecServerException;
import dev.execserver.client.error.RequestFailedException;
import dev.execserver.client.files.FileWatch;
import dev.execserver.client.process.Outcome;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;
import dev.execserver.client.process.SandboxProfile;
import dev.execserver.client.session.Backlog;
import dev.execserver.client.session.ProcessObserver;
import dev.execserver.it.support.Json;
import dev.execserver.protocol.environment.EnvironmentStatus;
import dev.execserver.protocol.fs.ChangedNotification;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.process.ExecApprovalAnswer;
import dev.execserver.protocol.process.ExecPolicyParams;
import dev.execserver.protocol.process.ExecPolicyParams.RulesText;
import dev.execserver.protocol.process.ReadResult;
import dev.execserver.protocol.process.WaitCondition;
import dev.execserver.protocol.process.WaitResult;
import dev.execserver.protocol.session.SessionInfo;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Driver of the Java client, in the JVM of the test. */
final class JavaDriver implements ClientDriver {
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<String> warnings = new CopyOnWriteArrayList<>();

    @Override
    public JsonNode act(String url, String action, JsonNode args, Runnable whenStarted) throws Exception {
        asked.clear();
        warnings.clear();
        try (ExecServerClient client = ExecServerClient.connect(options(url, args))) {
            ObjectNode result = switch (action) {
                case "output" -> output(client, args, whenStarted);
                case "stderrOnly" -> stderrOnly(client, args);
                case "echo" -> echo(client, args, whenStarted);
                case "terminal" -> terminal(client);
                case "stale" -> stale(client);
                case "approval" -> approval(client, args);
                case "warned" -> warned(client);
                case "observed" -> observed(client, url, args);
                case "aborted" -> aborted(client);
                case "files" -> files(client, args);
                default -> throw new IllegalArgumentException(action);
            };
            end(client);
            return result;
        } catch (ExecServerException e) {
            return Json.object("error", e.getClass().getSimpleName().replaceFirst("Exception$", ""))
                    .put("message", e.getMessage());
        } catch (IOException e) {
            return Json.object("lost", e.getMessage());
        }
    }

    private ClientOptions options(String url, JsonNode args) {
        ClientOptions.Builder options = ClientOptions.url(url).execApprovals(question -> {
            asked.add(String.join(" ", question.executed().argv()));
            return ExecApprovalAnswer.of(ExecApprovalAnswer.Decision.valueOf(
                    args.get("decision").textValue().toUpperCase(Locale.ROOT)));
        });
        if (args.has("sessionName")) {
            options.sessionName(args.get("sessionName").textValue());
        }
        if (args.path("takeWarnings").booleanValue()) {
            options.connectionListener(new ConnectionListener() {
                @Override
                public void warned(String method, String warning) {
                    warnings.add(method + ": " + warning);
                }
            });
        }
        if (args.has("token")) {
            String token = args.get("token").textValue();
            boolean counted = args.path("countTokens").booleanValue();
            AtomicInteger count = new AtomicInteger();
            options.bearerToken(() -> counted ? token + count.incrementAndGet() : token);
        }
        return options.build();
    }

    private static void end(ExecServerClient client) throws InterruptedException {
        try {
            client.end();
        } catch (ConnectionLostException _) {
            // The server has ended the session already.
        }
    }

    private static ObjectNode output(ExecServerClient client, JsonNode args, Runnable whenStarted) throws Exception {
        ProcessSpec spec = ProcessSpec.of(argv(args));
        if (args.path("readOnly").booleanValue()) {
            spec = spec.sandbox(SandboxProfile.readingEverything().in(PathUri.ofNative("/tmp")));
        }
        if (args.path("merge").booleanValue()) {
            spec = spec.redirectErrorStream();
        }
        if (args.has("timeoutMs")) {
            spec = spec.timeout(Duration.ofMillis(args.get("timeoutMs").longValue()));
        }
        try (RemoteProcess process = client.start(spec);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            whenStarted.run();
            Future<ObjectNode> err = threads.submit(digesting(process.stderr()));
            ObjectNode result = digest(process.stdout());
            result.put("stderrBytes", err.get().get("bytes").longValue());
            return tell(result, process.waitFor());
        }
    }

    private static ObjectNode stderrOnly(ExecServerClient client, JsonNode args) throws Exception {
        try (RemoteProcess process = client.start(ProcessSpec.of(argv(args)))) {
            long bytes = digest(process.stderr()).get("bytes").longValue();
            ObjectNode result = tell(Json.object("stderrBytes", bytes), process.waitFor());
            return result.put(
                    "stdoutBytes", digest(process.stdout()).get("bytes").longValue());
        }
    }

    private static ObjectNode echo(ExecServerClient client, JsonNode args, Runnable whenStarted) throws Exception {
        try (RemoteProcess process = client.start(ProcessSpec.of("cat").stdin());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            whenStarted.run();
            Future<ObjectNode> received = threads.submit(digesting(process.stdout()));
            MessageDigest sent = MessageDigest.getInstance("SHA-256");
            for (int i = 0; i < args.get("pieces").intValue(); i++) {
                byte[] piece = (i + " ").repeat(args.get("repeat").intValue()).getBytes(UTF_8);
                sent.update(piece);
                process.write(piece);
            }
            process.closeStdin();
            String hash = HexFormat.of().formatHex(sent.digest());
            boolean same = received.get().get("sha256").textValue().equals(hash);
            return tell(Json.object("same", same), process.waitFor());
        }
    }

    private static ObjectNode terminal(ExecServerClient client) throws Exception {
        ProcessSpec spec = ProcessSpec.of("sh", "-c", "stty size; read line; stty size; echo \"got $line\"")
                .tty(90, 20);
        try (RemoteProcess process = client.start(spec)) {
            StringBuilder text = new StringBuilder();
            InputStream out = process.stdout();
            byte[] buffer = new byte[4096];
            for (int count = out.read(buffer); count >= 0; count = out.read(buffer)) {
                text.append(new String(buffer, 0, count, UTF_8));
                if (text.toString().equals("20 90\r\n")) {
                    process.resize(132, 43);
                    process.write("wörd\n".getBytes(UTF_8));
                }
            }
            return tell(Json.object("text", text.toString()), process.waitFor());
        }
    }

    private static ObjectNode stale(ExecServerClient client) throws Exception {
        RemoteProcess process = client.start(ProcessSpec.of("cat").stdin());
        process.close();
        List<String> failures = new ArrayList<>();
        List<Callable<Object>> calls = List.of(
                () -> {
                    process.signal("TERM");
                    return 0;
                },
                process::terminate,
                () -> {
                    process.write(new byte[1]);
                    return 0;
                });
        for (Callable<Object> call : calls) {
            try {
                call.call();
                failures.add("none");
            } catch (ExecServerException | IllegalStateException e) {
                failures.add(e.getClass().getSimpleName());
            }
        }
        long left;
        do {
            left = running(client);
        } while (left > 0);
        return Json.object("failures", failures, "left", left);
    }

    private ObjectNode approval(ExecServerClient client, JsonNode args) throws Exception {
        RulesText rules = new RulesText("test", args.get("rules").textValue());
        ProcessSpec spec =
                ProcessSpec.of(argv(args)).execPolicy(ExecPolicyParams.NONE.withRules(List.of(rules), List.of()));
        try (RemoteProcess process = client.start(spec)) {
            String text = new String(process.stdout().readAllBytes(), UTF_8);
            return tell(Json.object("asked", List.copyOf(asked), "text", text), process.waitFor());
        }
    }

    /** Warnings are told on a thread of their own, so the last one is waited for. */
    private ObjectNode warned(ExecServerClient client) throws InterruptedException {
        for (int i = 0; i < 2; i++) {
            EnvironmentStatus _ = client.environment().status();
        }
        try {
            byte[] _ = client.files().readFile(PathUri.ofNative("/x"));
        } catch (RequestFailedException _) {
            await().until(() -> warnings.stream().anyMatch(text -> text.startsWith("fs/readFile")));
        }
        return Json.object("warnings", List.copyOf(warnings));
    }

    private static ObjectNode aborted(ExecServerClient client) throws Exception {
        AtomicReference<String> failure = new AtomicReference<>("none");
        Thread work = Thread.ofVirtual().start(() -> {
            try {
                CommandResult _ = client.run("sleep", "300");
            } catch (InterruptedException e) {
                failure.set("aborted");
            }
        });
        while (running(client) == 0) {
            Thread.onSpinWait();
        }
        work.interrupt();
        work.join();
        long left;
        do {
            left = running(client);
        } while (left > 0);
        return Json.object("failure", failure.get(), "left", left);
    }

    private static long running(ExecServerClient client) throws InterruptedException {
        return client.list().stream().filter(one -> one.running()).count();
    }

    private static ObjectNode observed(ExecServerClient client, String url, JsonNode args) throws Exception {
        ProcessSpec spec = ProcessSpec.of("sh", "-c", "echo ready; read -r line; echo got $line; exit 5")
                .stdin();
        try (RemoteProcess process = client.start(spec);
                ExecServerClient other =
                        ExecServerClient.connect(ClientOptions.url(url).build())) {
            SessionInfo session = other.sessions().list().stream()
                    .filter(row -> row.name()
                            .equals(Optional.of(args.get("sessionName").textValue())))
                    .findFirst()
                    .orElseThrow();
            String id = session.processes().getFirst().processId();
            ProcessObserver observer = other.sessions().observer(session.sessionId(), id, Backlog.ALL);
            WaitResult met = observer.waitFor(new WaitCondition.OutputText("ready"), Duration.ofSeconds(60));
            StringBuilder seen = new StringBuilder();
            int code = -1;
            while (!observer.ended()) {
                ReadResult sight = observer.next(Duration.ofSeconds(20)).output();
                sight.chunks().forEach(chunk -> seen.append(new String(chunk.bytes(), UTF_8)));
                if (seen.toString().equals("ready\n")) {
                    process.write("w\n".getBytes(UTF_8));
                }
                code = sight.exitCode().orElse(-1);
            }
            String text = new String(process.stdout().readAllBytes(), UTF_8);
            boolean own = client.sessionId().equals(Optional.of(session.sessionId()))
                    && process.id().equals(id);
            ObjectNode result =
                    Json.object("own", own, "met", met.met(), "seen", seen.toString(), "seenCode", code, "text", text);
            return tell(result, process.waitFor());
        }
    }

    private static ObjectNode files(ExecServerClient client, JsonNode args) throws Exception {
        String directory = args.get("directory").textValue();
        List<String> seen = new ArrayList<>();
        try (FileWatch watch = client.files().watch(PathUri.ofNative(directory))) {
            client.files().writeFile(PathUri.ofNative(directory + "/für 100%"), "content".getBytes(UTF_8));
            ChangedNotification change = watch.next(Duration.ofSeconds(30)).orElseThrow();
            change.changes().forEach(one -> seen.add(one.path().display()));
        }
        byte[] large = new byte[args.get("largeBytes").intValue()];
        Arrays.fill(large, (byte) 'x');
        try (var out = client.files().openWrite(PathUri.ofNative(directory + "/large"))) {
            out.write(large);
        }
        PathUri renamed = PathUri.ofNative(directory + "/renamed");
        client.files().rename(PathUri.ofNative(directory + "/large"), renamed, false);
        boolean same;
        try (var in = client.files().openRead(renamed)) {
            same = Arrays.equals(large, in.readAllBytes());
        }
        List<String> names = client.files().list(PathUri.ofNative(directory)).stream()
                .map(entry -> entry.fileName())
                .sorted()
                .toList();
        return Json.object(
                "seen",
                seen,
                "names",
                names,
                "size",
                client.files().metadata(renamed).size(),
                "same",
                same,
                "missing",
                missing(client, directory));
    }

    private static String missing(ExecServerClient client, String directory) throws InterruptedException {
        try {
            client.files().readFile(PathUri.ofNative(directory + "/missing"));
            return "none";
        } catch (ExecServerException e) {
            return e.getClass().getSimpleName();
        }
    }

    private static List<String> argv(JsonNode args) {
        List<String> argv = new ArrayList<>();
        args.get("argv").forEach(word -> argv.add(word.textValue()));
        return argv;
    }

    private static Callable<ObjectNode> digesting(InputStream stream) {
        return () -> digest(stream);
    }

    private static ObjectNode digest(InputStream stream) throws Exception {
        MessageDigest sha = MessageDigest.getInstance("SHA-256");
        byte[] buffer = new byte[64 * 1024];
        long bytes = 0;
        for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
            sha.update(buffer, 0, count);
            bytes += count;
        }
        return Json.object("sha256", HexFormat.of().formatHex(sha.digest()), "bytes", bytes);
    }

    private static ObjectNode tell(ObjectNode result, Outcome outcome) {
        switch (outcome) {
            case Outcome.Exited exited ->
                result.put("exitCode", exited.exitCode())
                        .put("reason", exited.reason().orElse(null))
                        .put("sandboxDenied", false);
            case Outcome.SandboxDenied denied ->
                result.put("exitCode", denied.exitCode())
                        .put("sandboxDenied", true)
                        .put(
                                "denial",
                                denied.denial().map(denial -> denial.kind()).orElse(null));
            case Outcome.Lost lost -> result.put("lost", lost.reason());
        }
        return result;
    }
}
