package dev.execserver.server.exec.wrapper;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.intercept.EscalatedRun;
import dev.execserver.sandbox.intercept.EscalationRefusedException;
import dev.execserver.sandbox.intercept.ExecDecision;
import dev.execserver.sandbox.intercept.ExecPolicy;
import dev.execserver.sandbox.intercept.ExecRequest;
import dev.execserver.sandbox.intercept.WrapperTask;
import dev.execserver.sandbox.io.ClosedException;
import dev.execserver.sandbox.io.PassingSocket;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.SocketPeers;
import dev.execserver.sandbox.spawn.ExitStatus;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.exec.wrapper.WrapperFrames.Frame;
import dev.execserver.server.exec.wrapper.WrapperMessages.EscalateRequest;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Conversation with one wrapper about one program: decides, and runs the program outside of the sandbox if that is the decision. A
 * virtual thread serves; another one may close.
 */
final class WrapperConnection implements AutoCloseable {
    /** Exit code for a program that cannot be executed. */
    private static final int NOT_EXECUTABLE = 126;

    private static final int SIGNALED = 128;

    /** Time between two looks if the wrapper still waits for an answer of the client. */
    private static final Duration LOOK = Duration.ofMillis(200);

    /** Beginning of a denial, which the wrapper writes itself. */
    private static final String DENIED = "Execution denied: ";

    private static final Logger LOG = LoggerFactory.getLogger(WrapperConnection.class);

    private final WrapperServices services;
    private final WrapperTask task;
    private final PassingSocket stream;
    private final long socket;
    private final ExecPolicy policy;

    /** @param socket inode of the socket over which wrappers introduce themselves */
    WrapperConnection(
            WrapperServices services, WrapperTask task, PassingSocket stream, long socket, ExecPolicy policy) {
        this.services = services;
        this.task = task;
        this.stream = stream;
        this.socket = socket;
        this.policy = policy;
    }

    void serve() {
        try (task;
                stream;
                WrapperFrames frames = new WrapperFrames(services, stream)) {
            converse(frames);
        } catch (EOFException | ClosedException e) {
            LOG.debug("wrapper {} has gone", task.pid(), e);
        } catch (IOException | LinuxException | RpcException e) {
            LOG.warn("wrapper {} is not served", task.pid(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void converse(WrapperFrames frames) throws IOException, InterruptedException {
        Frame first = frames.read();
        first.descriptors().forEach(Fd::close);
        Optional<ExecRequest> request = find(EscalateRequest.read(first.json()));
        if (request.isEmpty()) {
            frames.write(WrapperMessages.run());
            return;
        }
        switch (decision(request.get(), frames)) {
            case ExecDecision.Run() -> frames.write(WrapperMessages.run());
            case ExecDecision.RunVerified() -> frames.write(WrapperMessages.run());
            case ExecDecision.Errno(int number) -> frames.write(WrapperMessages.deny(Errno.text(number)));
            case ExecDecision.Exit(int _, String message) -> frames.write(WrapperMessages.deny(reason(message)));
            case ExecDecision.Escalate how -> escalate(request.get(), how, frames);
        }
    }

    private static String reason(String message) {
        return message.startsWith(DENIED) ? message.substring(DENIED.length()) : message;
    }

    /** Returns empty if there is no such program: the wrapper finds that out itself, in its sandbox. */
    private Optional<ExecRequest> find(EscalateRequest asked) {
        return services.files().call(() -> {
            try {
                return Optional.of(task.request(asked.fileBytes(), asked.argvBytes(), asked.envBytes()));
            } catch (LinuxException e) {
                LOG.debug("no program {}", asked.file(), e);
                return Optional.empty();
            }
        });
    }

    private ExecDecision decision(ExecRequest request, WrapperFrames frames) throws IOException, InterruptedException {
        Optional<ExecDecision> atHand = services.files().call(() -> policy.atHand(request));
        if (atHand.isPresent()) {
            return atHand.get();
        }
        CompletableFuture<ExecDecision> decided = new CompletableFuture<>();
        Thread decider = Threads.virtual("exec-wrapper-decision", () -> {
            try {
                decided.complete(policy.decide(request));
            } catch (RuntimeException e) {
                decided.completeExceptionally(e);
            } finally {
                stream.wake();
            }
        });
        while (!decided.isDone()) {
            boolean _ = stream.awaitReadable(LOOK.toNanos());
            if (!decided.isDone() && !(frames.quiet() && task.alive())) {
                decider.interrupt();
                throw new EOFException("the wrapper does not wait any more");
            }
        }
        try {
            return decided.join();
        } catch (CompletionException e) {
            throw new IOException("no decision about " + request.program().text(), e);
        }
    }

    private void escalate(ExecRequest request, ExecDecision.Escalate how, WrapperFrames frames) throws IOException {
        frames.write(WrapperMessages.escalate());
        Optional<EscalatedRun> run = start(request, how, frames.read());
        if (run.isEmpty()) {
            frames.write(WrapperMessages.ended(NOT_EXECUTABLE));
            return;
        }
        ExitStatus status = task.await(run.get(), () -> waits(frames));
        policy.ended(request, status);
        boolean ended = services.files().call(() -> {
            run.get().close();
            return task.endLike(status);
        });
        if (!ended) {
            frames.write(WrapperMessages.ended(status.signaled() ? SIGNALED + status.signal() : status.code()));
        }
    }

    private static boolean waits(WrapperFrames frames) {
        try {
            return frames.quiet();
        } catch (ClosedException | LinuxException e) {
            LOG.debug("the connection of a wrapper is lost", e);
            return false;
        }
    }

    /** Starts the program, and closes the descriptors that came with the message. */
    private Optional<EscalatedRun> start(ExecRequest request, ExecDecision.Escalate how, Frame message)
            throws IOException {
        try {
            SortedMap<Integer, Fd> given = given(message);
            return services.files().call(() -> started(request, how, given));
        } finally {
            message.descriptors().forEach(Fd::close);
        }
    }

    private static SortedMap<Integer, Fd> given(Frame message) throws IOException {
        List<Integer> numbers = WrapperMessages.descriptors(message.json());
        if (numbers.size() != message.descriptors().size()
                || Set.copyOf(numbers).size() != numbers.size()) {
            throw new IOException("the wrapper has sent "
                    + message.descriptors().size() + " descriptors for " + numbers.size() + " numbers");
        }
        SortedMap<Integer, Fd> given = new TreeMap<>();
        for (int i = 0; i < numbers.size(); i++) {
            // A network socket in the hands of a process outside would count as made there.
            if (SocketPeers.foreignSocket(message.descriptors().get(i).number())) {
                throw new IOException("the wrapper has sent a network socket");
            }
            given.put(numbers.get(i), message.descriptors().get(i));
        }
        return given;
    }

    private Optional<EscalatedRun> started(
            ExecRequest request, ExecDecision.Escalate how, SortedMap<Integer, Fd> given) {
        try {
            return Optional.of(task.start(request, how, given, Set.of(socket)));
        } catch (LinuxException | EscalationRefusedException e) {
            LOG.warn(
                    "not executed outside of the sandbox: {}", request.program().text(), e);
            task.complain("exec-server: not executed outside of the sandbox: " + e.getMessage());
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        stream.close();
    }
}
