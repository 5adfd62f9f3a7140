package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ExitStatus;
import dev.execserver.sandbox.spawn.ProcessMarks;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.spawn.Stdio;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

/** A supervisor with a poller and a spawner, and short ways to run scripts under it. */
final class InterceptFixture implements AutoCloseable {
    static final List<String> ENVIRONMENT = List.of("PATH=/usr/bin:/bin", "LC_ALL=C");

    final Poller poller = new Poller();
    final Spawner spawner = new Spawner(poller);
    final ProcessMarks marks = ProcessMarks.create();
    final ExecSupervisor supervisor;
    final EscalatedStart unconfined = EscalatedStart.unconfined(spawner);

    InterceptFixture(boolean verifyAll) {
        supervisor = new ExecSupervisor(poller, Machine.current().orElseThrow(), verifyAll);
    }

    /** The output of a command, its exit, and the programs that were asked about. */
    record Outcome(String out, String err, ExitStatus status, List<String> asked) {}

    /** A command that runs. */
    record Running(Child child, Interception interception, ConcurrentLinkedQueue<String> asked) {
        Outcome finish() {
            CompletableFuture<String> err = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> err.complete(readAll(child.stderr().orElseThrow())));
            String out = readAll(child.stdout());
            Outcome outcome = new Outcome(out, err.join(), child.awaitExit(), new ArrayList<>(asked));
            child.closeStreams();
            return outcome;
        }

        void kill() {
            child.signalGroup(ProcessCalls.SIGKILL);
            finish();
        }
    }

    Running start(Function<ExecRequest, ExecDecision> policy, String... argv) {
        ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();
        Interception interception = supervisor.intercept(request -> {
            asked.add(name(request));
            return policy.apply(request);
        });
        SpawnRequest request = new SpawnRequest(
                        argv[0], List.of(argv), ENVIRONMENT, "/", new Stdio.Pipes(true), marks.next())
                .restrictedBy(interception);
        return new Running(spawner.spawn(request), interception, asked);
    }

    Outcome run(Function<ExecRequest, ExecDecision> policy, String... argv) {
        return start(policy, argv).finish();
    }

    Outcome shell(Function<ExecRequest, ExecDecision> policy, String script) {
        return run(policy, "/bin/sh", "-c", script);
    }

    /** Returns the last part of the path of the program. */
    static String name(ExecRequest request) {
        String path = request.program().text();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Returns a policy that gives one answer for programs of this name and lets all others run. */
    static Function<ExecRequest, ExecDecision> answer(String name, ExecDecision decision) {
        return request -> name(request).equals(name) ? decision : new ExecDecision.Run();
    }

    ExecDecision.Escalate escalate() {
        return new ExecDecision.Escalate(TrustedEnvironment.standard(), unconfined, () -> {});
    }

    static String readAll(AsyncFd fd) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment buffer = arena.allocate(16 * 1024);
            int count;
            while ((count = fd.read(buffer)) > 0) {
                all.writeBytes(buffer.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE));
            }
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        supervisor.close();
        spawner.close();
        poller.close();
    }
}
