package dev.execserver.server.transport.websocket;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.socket.HelidonSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SocketChannel;
import java.util.OptionalLong;

/**
 * TLS connection through Helidon's socket. It aborts the channel below TLS, because TLS would send a closing message.
 */
final class TlsWire implements UpgradedConnection {
    /** Largest payload of a TLS record: 16 KiB (RFC 8446 section 5.1). */
    private static final int RECORD_BYTES = 16 * 1024;

    private final HelidonSocket socket;
    private final SocketChannel channel;
    private byte[] record = {};

    TlsWire(HelidonSocket socket, SocketChannel channel) {
        this.socket = socket;
        this.channel = channel;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        try {
            if (offset == 0 && length == into.length) {
                return socket.read(BufferData.create(into).clear());
            }
            // BufferData fills whole arrays only
            byte[] piece = piece(Math.min(length, RECORD_BYTES));
            int count = socket.read(BufferData.create(piece).clear());
            if (count > 0) {
                System.arraycopy(piece, 0, into, offset, count);
            }
            return count;
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private byte[] piece(int length) {
        if (length == RECORD_BYTES) {
            record = record.length == RECORD_BYTES ? record : new byte[RECORD_BYTES];
            return record;
        }
        return new byte[length];
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        try {
            socket.write(BufferData.create(from, offset, length));
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public OptionalLong unacknowledgedBytes() {
        return SocketHelpers.unacknowledgedBytes(channel);
    }

    @Override
    public void abort(boolean discard) {
        SocketHelpers.drop(channel, discard);
    }
}
