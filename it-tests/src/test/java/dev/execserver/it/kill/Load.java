package dev.execserver.it.kill;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ManagedNetwork;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Commands and file calls of all kinds for one server, by a thread of its own, until it is stopped or its connection ends. */
final class Load {
    private static final int AT_ONCE = 3;
    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private final WireClient client;
    private final Workspace workspace;
    private final Random random;
    private final String mark;
    private final Thread thread;
    private final Map<String, Integer> refusals = new ConcurrentHashMap<>();
    private volatile boolean stopped;
    private int done;

    Load(WireClient client, Workspace workspace, Random random, String mark) {
        this.client = client;
        this.workspace = workspace;
        this.random = random;
        this.mark = mark;
        this.thread = Thread.ofPlatform().name("load").start(this::run);
    }

    /** Ends what this load does; the processes stay. */
    void stop() throws InterruptedException {
        stopped = true;
        thread.join();
    }

    int done() {
        return done;
    }

    /** What was answered with an error, and how often. */
    Map<String, Integer> refusals() {
        return refusals;
    }

    private void run() {
        Deque<RemoteProcess> running = new ArrayDeque<>();
        try {
            while (!stopped && client.open()) {
                if (random.nextInt(4) == 0) {
                    fileCall();
                } else {
                    running.add(client.sendStart(anyStart().mark(mark)));
                }
                if (running.size() > random.nextInt(AT_ONCE)) {
                    end(running.remove());
                }
                done++;
            }
        } catch (UncheckedIOException | AssertionError e) {
            refuse(client.open() ? e.getMessage() : "the connection has ended");
        }
    }

    private void end(RemoteProcess process) {
        Answer started = process.started();
        if (started.failed()) {
            refuse(started.errorMessage());
            return;
        }
        if (random.nextBoolean()) {
            process.send("process/terminate").answer();
        }
    }

    private void refuse(String message) {
        String words = message.replace(workspace.folder().toString(), "WS").replaceAll("\\d+", "N");
        refusals.merge(words, 1, Integer::sum);
    }

    private void fileCall() {
        String name = Workspace.ALLOWED + NUMBERS.incrementAndGet();
        ObjectNode params = Json.object("path", workspace.folder().resolve(name).toString(), "dataBase64", "eA==");
        params.put("atomic", random.nextBoolean());
        params.set("sandbox", workspace.policy());
        Answer answer = client.send("fs/writeFile", params).answer();
        if (answer.failed()) {
            refuse(answer.errorMessage());
        }
    }

    private Start anyStart() {
        String script = lasting();
        return switch (random.nextInt(10)) {
            case 0 -> plain(script);
            case 1 -> plain("setsid sleep 300 & " + script);
            case 2 -> plain(script).with("sandbox", workspace.readOnly());
            case 3 ->
                ManagedNetwork.shell(workspace.attack() + script, workspace.folder(), "http://127.0.0.1:9")
                        .with("sandbox", workspace.policy());
            case 4 -> sandboxed("setsid sleep 300 & " + script).with("limits", Json.object("pids", 50));
            case 5 -> sandboxed(script).tty();
            default -> sandboxed(workspace.attack() + script);
        };
    }

    private Start plain(String script) {
        return Start.shell(script).with("cwd", workspace.folder().toUri().toString());
    }

    private Start sandboxed(String script) {
        return plain(script).with("sandbox", workspace.policy());
    }

    private String lasting() {
        return switch (random.nextInt(4)) {
            case 0 -> "true";
            case 1 -> "exec sleep 300";
            case 2 -> "sleep 0.0" + random.nextInt(10);
            default -> "echo x >" + Workspace.ALLOWED + NUMBERS.incrementAndGet();
        };
    }
}
