package dev.execserver.server.cli.client;

import dev.execserver.client.error.ExecServerException;
import dev.execserver.server.concurrent.Threads;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Forwards standard input and its end. On a daemon platform thread, because the read blocks in the kernel; it is left
 * behind there when the remote program ends first.
 */
final class StdinPump {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final InputStream input;
    private final RemoteTask task;
    private final DetachKey detachKey;
    private final boolean forwardsEnd;

    private StdinPump(InputStream input, RemoteTask task, DetachKey detachKey, boolean forwardsEnd) {
        this.input = input;
        this.task = task;
        this.detachKey = detachKey;
        this.forwardsEnd = forwardsEnd;
    }

    /** Forwards everything and the end of it. */
    static void forwardAll(InputStream input, RemoteTask task) {
        start(new StdinPump(input, task, new DetachKey(false, () -> {}), true));
    }

    /** Forwards what comes before the key, and not the end. */
    static void forwardUntilDetach(InputStream input, RemoteTask task, DetachKey detachKey) {
        start(new StdinPump(input, task, detachKey, false));
    }

    private static void start(StdinPump pump) {
        Threads.daemon("run-stdin", pump::run);
    }

    private void run() {
        try {
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int length = read(buffer); length >= 0; length = read(buffer)) {
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
        } catch (ExecServerException e) {
            // The program takes no more input, or the connection is lost: its events say so, and the exit code counts.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** An input that cannot be read, such as a terminal that was closed, has ended. */
    private int read(byte[] buffer) {
        try {
            return input.read(buffer);
        } catch (IOException e) {
            return -1;
        }
    }
}
