package dev.execserver.sandbox.io;

import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.SocketPeers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.OptionalInt;

/** Unix socket with whose messages descriptors come. One thread reads and writes; any thread may wake or close. */
public final class PassingSocket implements AutoCloseable {
    /** Bytes of one message, or of one read of a stream. */
    public static final int MAX_BYTES = 8192;

    private final AsyncFd socket;
    /** The collector frees it. */
    private final MemorySegment buffer = Arena.ofAuto().allocate(MAX_BYTES);

    /** Takes over a socket, which must be O_NONBLOCK. */
    public PassingSocket(Poller poller, Fd socket) {
        this.socket = AsyncFd.pipe(poller, socket);
    }

    /**
     * A message, or what is there of a stream.
     *
     * @param count bytes; 0 for an empty message or the end of a stream, -1 if nothing is there yet
     * @param descriptors that came with it; the receiver closes them
     * @param sender process that has sent it, if the socket asks for that
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Received(int count, byte[] bytes, List<Fd> descriptors, OptionalInt sender) {}

    /** Receives without waiting. */
    public Received tryReceive(int limit) {
        MemorySegment part = buffer.asSlice(0, Math.min(limit, MAX_BYTES));
        SocketPeers.Received received = socket.use(fd -> SocketPeers.receive(fd, part));
        byte[] bytes = new byte[Math.max(0, received.count())];
        MemorySegment.copy(part, ValueLayout.JAVA_BYTE, 0, bytes, 0, bytes.length);
        return new Received(received.count(), bytes, received.descriptors(), received.sender());
    }

    /** Parks until there is something to receive. May return early. */
    public void awaitReadable() {
        socket.awaitReadable();
    }

    /** Parks as {@link #awaitReadable()} does; false if the time was up. */
    public boolean awaitReadable(long nanos) {
        return socket.awaitReadable(nanos);
    }

    /** Ends the wait of the reader. */
    public void wake() {
        socket.wake();
    }

    /** Returns true if nothing has come: neither the end of the stream nor a byte, which is lost then. */
    public boolean quiet() {
        return socket.tryRead(buffer.asSlice(0, 1)) < 0;
    }

    /** Returns false if no process has the other socket of a datagram pair any more. */
    public boolean otherExists() {
        return socket.use(SocketPeers::otherExists);
    }

    /** Writes all bytes to a stream. Parks while there is no room. */
    public void write(byte[] bytes) {
        for (int at = 0; at < bytes.length; ) {
            int length = Math.min(bytes.length - at, MAX_BYTES);
            MemorySegment.copy(bytes, at, buffer, ValueLayout.JAVA_BYTE, 0, length);
            at += socket.write(buffer.asSlice(0, length));
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
