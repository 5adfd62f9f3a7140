package dev.execserver.client;

import dev.execserver.client.error.ExecServerException;
import dev.execserver.client.rpc.AfterLoss;
import dev.execserver.client.rpc.Caller;
import dev.execserver.protocol.fs.CloseParams;
import dev.execserver.protocol.fs.FsMethodNames;
import java.io.IOException;
import java.io.InterruptedIOException;

/** Calls behind streams: their failures are those of streams. Stateless. */
final class RemoteIo {

    private RemoteIo() {}

    @FunctionalInterface
    interface Step<T> {
        T run() throws InterruptedException;
    }

    static <T> T run(Step<T> step) throws IOException {
        try {
            return step.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for the server");
        } catch (ExecServerException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Closing is harmless when repeated, and needless when the handle went with its connection. */
    static void close(Caller caller, String handleId) throws IOException {
        run(() -> caller.call(FsMethodNames.CLOSE, new CloseParams(handleId), AfterLoss.REPEAT, Caller.NOTHING));
    }
}
