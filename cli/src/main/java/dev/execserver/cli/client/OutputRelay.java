package dev.execserver.cli.client;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.execserver.cli.BrokenPipe;
import dev.execserver.cli.Console;
import dev.execserver.cli.local.FileErrors;
import dev.execserver.client.error.ExecServerException;
import dev.execserver.client.process.ProcessEvent;
import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.StreamKind;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/**
 * Copies the output of a remote program to the output of this program until the remote one ends. The main thread uses
 * it; any thread may call {@link #awaitEnd}, {@link #inputFailed}, {@link #leave} and {@link #sayLastWords}.
 */
final class OutputRelay {
    private final RemoteTask task;
    private final LocalTerminal local;
    private final Console console;
    private final boolean visiting;
    private final CountDownLatch ended = new CountDownLatch(1);

    private final Queue<String> lastWords = new ConcurrentLinkedQueue<>();
    private final LostOutput lost = new LostOutput();

    private volatile boolean left;
    private volatile boolean detached;
    private volatile boolean lostConnection;
    private volatile boolean inputFailed;
    private volatile boolean mayGoOn;
    private volatile int status = ClientStatus.NO_CONNECTION;

    private OutputRelay(RemoteTask task, LocalTerminal local, Console console, boolean visiting) {
        this.task = task;
        this.local = local;
        this.console = console;
        this.visiting = visiting;
    }

    /**
     * Makes a relay that ends the remote program if its output cannot be written any more. A program that writes into
     * the pipe itself would end too.
     */
    static OutputRelay of(RemoteTask task, LocalTerminal local, Console console) {
        return new OutputRelay(task, local, console, false);
    }

    /** Makes a relay for a program that another client has started: it goes on, whatever happens to this relay. */
    static OutputRelay visiting(RemoteTask task, LocalTerminal local, Console console) {
        return new OutputRelay(task, local, console, true);
    }

    /** @return the exit status of the remote program, if it is known */
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
            // A local program would get SIGPIPE for a pipe that nobody reads, and a shell prints nothing about it.
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

    /**
     * Ends the remote program, because it would take the input for complete. {@link #run} then returns a failure. From
     * any thread.
     */
    void inputFailed(IOException why) {
        say("the input cannot be read: " + FileErrors.text(why));
        inputFailed = true;
        try {
            task.terminate();
        } catch (ExecServerException e) {
            return; // the events report that the connection is lost
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Makes {@link #run} return with status 0, and lets the remote program run. From any thread. */
    void leave() {
        left = true;
        status = ClientStatus.OK;
        task.detach();
    }

    /** Does the same as {@link #leave}, at the wish of a person who wants to know how to come back. */
    void detach() {
        detached = true;
        leave();
    }

    /** Makes {@link #run} return without a connection: the program may run on. From any thread. */
    void giveUp(String why) {
        say(why);
        mayGoOn = true;
        lostConnection = true;
        left = true;
        task.detach();
    }

    /** Waits until {@link #run} has ended, for any reason. */
    boolean awaitEnd(long millis) throws InterruptedException {
        return ended.await(millis, MILLISECONDS);
    }

    /**
     * Prints the collected errors. Call it when the terminal is not raw any more, because a raw one would garble the
     * lines.
     */
    void sayLastWords() {
        lost.take().ifPresent(this::say);
        for (String words = lastWords.poll(); words != null; words = lastWords.poll()) {
            console.error(words);
        }
    }

    /** Returns true if contact with the program was lost and it may still run on the server. */
    boolean mayGoOn() {
        return mayGoOn;
    }

    /** Returns true if this side went before the program ended. */
    boolean left() {
        return left;
    }

    /** Returns true if {@link #detach} was called. */
    boolean detached() {
        return detached;
    }

    /** Returns true if the events have said why there is no connection any more. */
    boolean lostConnection() {
        return lostConnection;
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
            case ProcessEvent.Gap gap -> lost.add(gap.droppedBytes());
            case ProcessEvent.Lost lost -> {
                if (!left) {
                    lostConnection = true;
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
