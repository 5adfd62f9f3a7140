package dev.execserver.server.cli.client;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.execserver.client.error.ExecServerException;
import dev.execserver.client.process.ProcessEvent;
import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.StreamKind;
import dev.execserver.server.cli.BrokenPipe;
import dev.execserver.server.cli.Console;
import dev.execserver.server.config.FileErrors;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/**
 * Copies the output of a remote program to this one's until it ends. Used by the main thread; {@link #awaitEnd} may be
 * called by another, and so may {@link #leave} and {@link #sayLastWords}.
 */
final class Relay {
    private final RemoteTask task;
    private final LocalEnd local;
    private final Console console;
    private final boolean visiting;
    private final CountDownLatch ended = new CountDownLatch(1);

    private final Queue<String> lastWords = new ConcurrentLinkedQueue<>();

    private volatile boolean left;
    private volatile boolean inputFailed;
    private volatile boolean mayGoOn;
    private volatile int status = ClientStatus.NO_CONNECTION;

    private Relay(RemoteTask task, LocalEnd local, Console console, boolean visiting) {
        this.task = task;
        this.local = local;
        this.console = console;
        this.visiting = visiting;
    }

    /** Of a program that ends when nobody can take its output any more, as one would that writes into the pipe itself. */
    static Relay of(RemoteTask task, LocalEnd local, Console console) {
        return new Relay(task, local, console, false);
    }

    /** Of a program that somebody else has started: it goes on, whatever becomes of this one. */
    static Relay visiting(RemoteTask task, LocalEnd local, Console console) {
        return new Relay(task, local, console, true);
    }

    /** @return the exit status: the remote program's, if it is known */
    int run() throws InterruptedException {
        try {
            for (Optional<ProcessEvent> event = task.nextEvent();
                    event.isPresent() && !left;
                    event = task.nextEvent()) {
                take(event.get());
            }
        } catch (IOException e) {
            if (visiting) {
                task.detach();
            } else {
                task.terminate();
            }
            // For a pipe that nobody reads a local program would get SIGPIPE, and a shell says nothing of it.
            if (BrokenPipe.is(e)) {
                status = ClientStatus.BROKEN_PIPE;
            } else {
                status = ClientStatus.FAILURE;
                say("the output cannot be written: " + FileErrors.text(e));
            }
        } finally {
            status = inputFailed ? ClientStatus.FAILURE : status;
            ended.countDown();
        }
        return status;
    }

    /** Ends the remote program, which would take the input for complete; {@link #run} comes back with a failure. From any thread. */
    void inputFailed(IOException why) {
        say("the input cannot be read: " + FileErrors.text(why));
        inputFailed = true;
        try {
            task.terminate();
        } catch (ExecServerException e) {
            return; // the events say that the connection is lost
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Makes {@link #run} come back with status 0 and lets the remote program be; from any thread. */
    void leave() {
        left = true;
        status = ClientStatus.OK;
        task.detach();
    }

    /** Waits until {@link #run} has come to its end, for whatever reason. */
    boolean awaitEnd(long millis) throws InterruptedException {
        return ended.await(millis, MILLISECONDS);
    }

    /** Says what went wrong; to be called when the terminal is no longer raw, which would garble the lines. */
    void sayLastWords() {
        for (String words = lastWords.poll(); words != null; words = lastWords.poll()) {
            console.error(words);
        }
    }

    /** Whether sight of the program was lost, and it may still run on the server. */
    boolean mayGoOn() {
        return mayGoOn;
    }

    int status() {
        return status;
    }

    private void take(ProcessEvent event) throws IOException {
        switch (event) {
            case ProcessEvent.Output output -> write(output.chunk());
            case ProcessEvent.Exited exited -> {
                status = exited.exitCode() & 0xff;
                exited.reason().ifPresent(reason -> say("the server has ended the program: " + reason));
            }
            case ProcessEvent.Closed closed ->
                closed.reason().ifPresent(reason -> say("the rest of the output was given up: " + reason));
            case ProcessEvent.Gap gap ->
                say(
                        gap.droppedBytes().isPresent()
                                ? "%d bytes of output are lost"
                                        .formatted(gap.droppedBytes().getAsLong())
                                : "some output is lost");
            case ProcessEvent.Lost lost -> {
                if (!left) {
                    mayGoOn = !lost.ended() && status == ClientStatus.NO_CONNECTION;
                    say(lost.reason());
                }
            }
        }
    }

    private void write(OutputChunk chunk) throws IOException {
        OutputStream target = chunk.stream() == StreamKind.STDERR ? local.errors() : local.output();
        target.write(chunk.buffer(), chunk.offset(), chunk.length());
    }

    private void say(String message) {
        lastWords.add(message);
    }
}
