package dev.execserver.client;

import dev.execserver.client.error.ExecServerException;
import dev.execserver.client.rpc.AfterLoss;
import dev.execserver.client.rpc.Caller;
import dev.execserver.protocol.fs.CloseParams;
import dev.execserver.protocol.fs.FsMethodNames;
import java.io.IOException;
import java.io.InterruptedIOException;

/** Makes calls for streams and turns their failures into those of streams. Stateless. */
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

    /** Closes a handle. A repeated close is harmless. It is needless if the handle was lost with its connection. */
    static void close(Caller caller, String handleId) throws IOException {
        run(() -> caller.call(FsMethodNames.CLOSE, new CloseParams(handleId), AfterLoss.REPEAT, Caller.NOTHING));
    }
}
