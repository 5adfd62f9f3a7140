package dev.execserver.sandbox.io;

import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.TcpCalls;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.SocketException;
import java.util.Objects;

/**
 * A connected socket as a pair of streams. One thread reads and one writes; virtual threads park. Any thread may close the
 * socket. Nothing is buffered here: the bytes are in the kernel when {@code write} returns. A native buffer is borrowed only
 * while bytes move, so idle connections hold none.
 */
public final class AsyncStreams {
    private final AsyncFd socket;
    private final Buffers buffers;

    public AsyncStreams(AsyncFd socket, Buffers buffers) {
        this.socket = socket;
        this.buffers = buffers;
    }

    /** Returns the bytes from the peer. Closing this stream does nothing. */
    public InputStream input() {
        return new Input();
    }

    /** Returns the stream to the peer. Closing it sends the end of the stream; the other direction goes on. */
    public OutputStream output() {
        return new Output();
    }

    /** Sends the end of the stream to the peer. */
    public void shutdownOutput() {
        try {
            socket.use(TcpCalls::shutdownWrite);
        } catch (ClosedException e) {
            // The socket is closed already.
        }
    }

    private static IOException failed(RuntimeException e) {
        return new SocketException(e.getMessage(), e);
    }

    private final class Input extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, to.length);
            if (length == 0) {
                return 0;
            }
            try {
                int count = tryRead(to, offset, length);
                while (count < 0) {
                    socket.awaitReadable();
                    count = tryRead(to, offset, length);
                }
                return count == 0 ? -1 : count;
            } catch (LinuxException | ClosedException e) {
                throw failed(e);
            }
        }

        private int tryRead(byte[] to, int offset, int length) {
            try (Buffers.Lease lease = buffers.borrow()) {
                MemorySegment buffer = lease.segment().asSlice(0, Math.min(length, Buffers.BUFFER_BYTES));
                int count = socket.tryRead(buffer);
                if (count > 0) {
                    MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, to, offset, count);
                }
                return count;
            }
        }
    }

    private final class Output extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, from.length);
            try (Buffers.Lease lease = buffers.borrow()) {
                for (int done = 0; done < length; ) {
                    int step = Math.min(length - done, Buffers.BUFFER_BYTES);
                    MemorySegment.copy(from, offset + done, lease.segment(), ValueLayout.JAVA_BYTE, 0, step);
                    done += socket.write(lease.segment().asSlice(0, step));
                }
            } catch (LinuxException | ClosedException e) {
                throw failed(e);
            }
        }

        @Override
        public void close() {
            shutdownOutput();
        }
    }
}
