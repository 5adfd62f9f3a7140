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
    private final RemoteTask task;
    private final DetachKey detachKey;
    private final boolean forwardsEnd;
    private final Optional<ExecPrompt> prompt;
    private final Consumer<IOException> failure;

    private StdinPump(
            LocalTerminal local,
            RemoteTask task,
            DetachKey detachKey,
            boolean forwardsEnd,
            Optional<ExecPrompt> prompt,
            Consumer<IOException> failure) {
        this.local = local;
        this.terminal = local.inputIsTerminal(); // ask now: it cannot be found out after the terminal was closed
        this.task = task;
        this.detachKey = detachKey;
        this.forwardsEnd = forwardsEnd;
        this.prompt = prompt;
        this.failure = failure;
    }

    /**
     * Forwards all input and its end.
     *
     * @param prompt takes what answers its questions
     * @param failure gets the error if the input cannot be read; the end is not forwarded then
     */
    static void forwardAll(LocalTerminal local, RemoteTask task, ExecPrompt prompt, Consumer<IOException> failure) {
        start(new StdinPump(local, task, new DetachKey(false, () -> {}), true, Optional.of(prompt), failure));
    }

    /** Forwards the input before the key, and not the end. */
    static void forwardUntilDetach(LocalTerminal local, RemoteTask task, DetachKey detachKey) {
        start(new StdinPump(local, task, detachKey, false, Optional.empty(), _ -> {}));
    }

    private static void start(StdinPump pump) {
        CliThreads.daemon("run-stdin", pump::run);
    }

    private void run() {
        try {
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int length = read(buffer); length >= 0; length = read(buffer)) {
                if (answers(buffer, length)) {
                    continue;
                }
                int wanted = detachKey.find(buffer, length);
                if (wanted > 0) {
                    task.write(Arrays.copyOf(buffer, wanted));
                }
                if (wanted < length) {
                    detachKey.action().run();
                    return;
                }
            }
            if (forwardsEnd) {
                task.closeStdin();
            }
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

    private boolean answers(byte[] buffer, int length) {
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
