package dev.execserver.server.transport.websocket;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.OptionalLong;

/**
 * Wire over the socket itself. It bypasses Helidon's reader and writer, which use pieces of 8 KiB and copy each twice.
 * The streams of a channel's socket park a virtual thread and hold no buffer while they wait.
 */
final class PlainWire implements UpgradedConnection {
    private final SocketChannel channel;
    private final InputStream in;
    private final OutputStream out;

    private PlainWire(SocketChannel channel, InputStream in, OutputStream out) {
        this.channel = channel;
        this.in = in;
        this.out = out;
    }

    static PlainWire of(SocketChannel channel) {
        return new PlainWire(channel, Channels.newInputStream(channel), Channels.newOutputStream(channel));
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        return in.read(into, offset, length);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        out.write(from, offset, length);
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
