package dev.execserver.cli.client;

import dev.execserver.client.error.ExecServerException;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Forwards standard input and its end. Runs on a daemon platform thread, because the read blocks in the kernel; the
 * thread is abandoned if the remote program ends first.
 */
final class StdinPump {
    private static final int BUFFER_BYTES = 64 * 1024;

    /** Pause between checks if a background job has come to the foreground. */
    private static final Duration BACKGROUND_LOOK = Duration.ofMillis(100);

    private final LocalTerminal local;
    private final boolean terminal;
    private final Target target;
    private final Consumer<IOException> failure;

    /** Receives what was read. */
    private interface Target {
        /** Returns false if it wants no more. */
        boolean take(byte[] bytes, int length) throws InterruptedException;

        void end() throws InterruptedException;
    }

    private StdinPump(LocalTerminal local, Target target, Consumer<IOException> failure) {
        this.local = local;
        this.terminal = local.inputIsTerminal(); // ask now: it cannot be found out after the terminal was closed
        this.target = target;
        this.failure = failure;
    }

    /**
     * Forwards all input and its end.
     *
     * @param prompt takes what answers its questions
     * @param failure gets the error if the input cannot be read; the end is not forwarded then
     */
    static void forwardAll(LocalTerminal local, RemoteTask task, ExecPrompt prompt, Consumer<IOException> failure) {
        start(new StdinPump(local, new Bytes(task, true, Optional.of(prompt)), failure));
    }

    /** Forwards all input, and not its end. */
    static void forward(LocalTerminal local, RemoteTask task) {
        start(new StdinPump(local, new Bytes(task, false, Optional.empty()), _ -> {}));
    }

    /**
     * Forwards keys. Those for this program are obeyed also while the remote one, or the server, takes none, and while a question is open.
     */
    static void forwardKeys(
            LocalTerminal local,
            TypedInput typed,
            EscapeKeys keys,
            boolean forwardsEnd,
            Optional<ExecPrompt> prompt,
            Consumer<IOException> failure) {
        start(new StdinPump(local, new Keys(typed, keys, forwardsEnd, prompt), failure));
    }

    private record Bytes(RemoteTask task, boolean forwardsEnd, Optional<ExecPrompt> prompt) implements Target {
        @Override
        public boolean take(byte[] bytes, int length) throws InterruptedException {
            if (!answers(prompt, bytes, length)) {
                task.write(Arrays.copyOf(bytes, length));
            }
            return true;
        }

        @Override
        public void end() throws InterruptedException {
            if (forwardsEnd) {
                task.closeStdin();
            }
        }
    }

    private record Keys(TypedInput typed, EscapeKeys keys, boolean forwardsEnd, Optional<ExecPrompt> prompt)
            implements Target {
        @Override
        public boolean take(byte[] bytes, int length) throws InterruptedException {
            byte[] wanted = keys.take(bytes, length);
            if (wanted.length > 0 && !answers(prompt, wanted, wanted.length)) {
                typed.add(wanted);
            }
            return !keys.over();
        }

        @Override
        public void end() {
            if (forwardsEnd) {
                typed.end();
            }
        }
    }

    private static void start(StdinPump pump) {
        CliThreads.daemon("run-stdin", pump::run);
    }

    private void run() {
        try {
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int length = read(buffer); length >= 0; length = read(buffer)) {
                if (!target.take(buffer, length)) {
                    return;
                }
            }
            target.end();
        } catch (IOException e) {
            failure.accept(e);
        } catch (ExecServerException e) {
            // The program takes no more input, or the connection is lost. The events report it, and the exit code
            // counts.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean answers(Optional<ExecPrompt> prompt, byte[] buffer, int length) {
        return prompt.isPresent() && prompt.get().takes(buffer, length);
    }

    /** Reads input. A terminal that cannot be read was closed, which counts as the end of the input. */
    private int read(byte[] buffer) throws IOException, InterruptedException {
        while (true) {
            while (!local.inputInForeground()) {
                Thread.sleep(BACKGROUND_LOOK);
            }
            try {
                return local.input().read(buffer);
            } catch (IOException e) {
                if (!terminal) {
                    throw e;
                }
                if (local.inputInForeground()) {
                    return -1;
                }
                // The job came into the background while it read (EIO).
            }
        }
    }
}
