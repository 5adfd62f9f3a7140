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

    private StdinPump(InputStream input, RemoteTask task, DetachKey detachKey) {
        this.input = input;
        this.task = task;
        this.detachKey = detachKey;
    }

    static void start(InputStream input, RemoteTask task, DetachKey detachKey) {
        StdinPump pump = new StdinPump(input, task, detachKey);
        Threads.daemon("run-stdin", pump::run);
    }

    private void run() {
        try {
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int length = read(buffer); length >= 0; length = read(buffer)) {
                if (detachKey.pressed(buffer, length)) {
                    return;
                }
                task.write(Arrays.copyOf(buffer, length));
            }
            task.closeStdin();
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
