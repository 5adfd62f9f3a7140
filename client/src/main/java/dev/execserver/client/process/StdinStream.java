package dev.execserver.client.process;

import dev.execserver.client.error.ExecServerException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.Objects;

/** Stdin as a stream. Unbuffered: every write is a request. */
final class StdinStream extends OutputStream {

    private final StdinWriter writer;
    private final StdinWriter.Step closeStep;

    StdinStream(StdinWriter writer, StdinWriter.Step closeStep) {
        this.writer = writer;
        this.closeStep = closeStep;
    }

    @Override
    public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        asIo(() -> writer.write(bytes, offset, length));
    }

    @Override
    public void close() throws IOException {
        asIo(closeStep);
    }

    private static void asIo(StdinWriter.Step step) throws IOException {
        try {
            step.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while writing to stdin");
        } catch (ExecServerException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
