package dev.execserver.server.transport;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.ReceivedMessage;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.memory.MemoryBudget;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;

/**
 * Transport of one JSON value per line on a pair of streams. Blank lines are ignored; a last line needs no line feed.
 *
 * <p>A blocking read or write of a pipe would keep a virtual thread's carrier. So one platform thread does all reading
 * and another one all writing, while the caller parks. Both are daemons: a read of standard input cannot be woken, and
 * nothing waits for it after {@link #close}. Threads: see {@link Transport}. Locks: the one inside {@link LineQueue}.
 */
public final class StdioTransport implements Transport {
    private final LineQueue lines;
    private final OutputStream out;
    private final ExecutorService writer;
    private final CompletableFuture<CloseReason> closed = new CompletableFuture<>();

    private StdioTransport(LineQueue lines, OutputStream out) {
        this.lines = lines;
        this.out = out;
        this.writer = Threads.oneDaemon("stdio-writer");
    }

    /**
     * Starts reading. The output should be unbuffered: each message is written in one piece, each batch is flushed.
     *
     * @param memory share for the parts of lines that are not complete
     */
    public static StdioTransport start(InputStream in, OutputStream out, MemoryBudget memory) {
        return start(in, out, memory, MAX_MESSAGE_BYTES);
    }

    static StdioTransport start(InputStream in, OutputStream out, MemoryBudget memory, int maxLineBytes) {
        LineQueue lines = new LineQueue();
        LineReader reader = new LineReader(in, maxLineBytes, memory);
        Threads.daemon("stdio-reader", () -> lines.fill(reader));
        return new StdioTransport(lines, out);
    }

    @Override
    public String describe() {
        return "stdio";
    }

    @Override
    public Optional<ReceivedMessage> read() throws IOException {
        return lines.take().map(ReceivedMessage::of);
    }

    @Override
    public boolean takesAnswersAfterItsEnd() {
        return true;
    }

    @Override
    public void write(List<MessageBuffer> batch, int count) throws IOException {
        List<MessageBuffer> messages = new ArrayList<>(batch.subList(0, count));
        for (MessageBuffer message : messages) {
            if (message.length() > MAX_MESSAGE_BYTES) {
                throw new MessageTooLargeException(message.length());
            }
        }
        if (closed.isDone()) {
            throw new IOException("stdio is closed");
        }
        try {
            CompletableFuture<Void> written = CompletableFuture.runAsync(() -> writeLines(messages), writer);
            CompletableFuture.anyOf(written, closed).get();
            if (!written.isDone()) {
                throw new IOException("stdio is closed");
            }
        } catch (RejectedExecutionException e) {
            throw new IOException("stdio is closed", e);
        } catch (ExecutionException e) {
            throw new IOException("stdio: " + e.getCause().getMessage(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while writing", e);
        }
    }

    private void writeLines(List<MessageBuffer> messages) {
        try {
            for (MessageBuffer message : messages) {
                int end = message.offset() + message.length();
                message.array()[end] = '\n';
                out.write(message.array(), message.offset(), message.length() + 1);
            }
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close(CloseReason reason) {
        if (closed.complete(reason)) {
            lines.close();
            writer.shutdown();
        }
    }

    @Override
    public long lastInboundNanos() {
        return lines.lastInboundNanos();
    }
}
