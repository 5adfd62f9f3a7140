package dev.execserver.server.transport.exec;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.transport.files.FileRefusal;
import dev.execserver.server.transport.files.RawConnection;
import io.helidon.common.buffers.DataReader;
import io.helidon.webserver.CloseConnectionException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads a connection while its command runs: first the command's input, then the beginning of the next request, or the
 * end of the connection, which kills the command. Its thread alone reads the connection until {@link #join}.
 */
final class InputFeed {

    private static final int PIECE_BYTES = 32 * 1024;

    private final RawConnection connection;
    private final ExecBody body;
    private final CommandAccess.Running command;
    private volatile boolean bodyRead;
    private volatile boolean last;
    private volatile boolean gone;
    private volatile Optional<RuntimeException> failure = Optional.empty();
    private final Thread thread;

    InputFeed(RawConnection connection, ExecBody body, CommandAccess.Running command) {
        this.connection = connection;
        this.body = body;
        this.command = command;
        this.bodyRead = body.endFound();
        this.thread = Threads.virtual("exec-input", this::run);
    }

    /** Returns true if the next request can be found when this one is answered. */
    boolean bodyRead() {
        return bodyRead && !last;
    }

    /** Returns true if the connection has ended. */
    boolean gone() {
        return gone;
    }

    /** Returns the error in the input that has ended the command. */
    Optional<RuntimeException> failure() {
        return failure;
    }

    /** Makes the current request the last one of the connection. */
    void lastRequest() {
        last = true;
    }

    /** Waits until the next request has begun, or the connection has ended. */
    void join() throws InterruptedException {
        thread.join();
    }

    private void run() {
        try {
            feed();
            while (!bodyRead) {
                connection.skipSome();
            }
            connection.awaitMore();
        } catch (IOException
                | UncheckedIOException
                | CloseConnectionException
                | DataReader.InsufficientDataAvailableException e) {
            gone = true;
            command.abandon();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            command.abandon();
        }
    }

    private void feed() throws IOException, InterruptedException {
        try {
            if (body.input().isPresent()) {
                copy(body.input().get());
                command.endInput();
            }
            if (!bodyRead) {
                body.finish();
                bodyRead = body.endFound();
            }
        } catch (FileRefusal | RpcException e) {
            failure = Optional.of(e);
            command.abandon();
        }
    }

    private void copy(InputStream in) throws IOException, InterruptedException {
        byte[] buffer = new byte[PIECE_BYTES];
        boolean wanted = true;
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            wanted = wanted && command.write(Arrays.copyOf(buffer, count));
        }
    }
}
