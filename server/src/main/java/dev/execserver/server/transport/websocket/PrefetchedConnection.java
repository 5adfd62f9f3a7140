package dev.execserver.server.transport.websocket;

import io.helidon.common.buffers.DataReader;
import java.io.IOException;
import java.util.OptionalLong;

/**
 * Wire whose first bytes Helidon has already read, because a peer may send frames in the same packet as its upgrade
 * request.
 */
final class PrefetchedConnection implements UpgradedConnection {
    private final UpgradedConnection wire;
    private byte[] early;
    private int used;

    PrefetchedConnection(DataReader reader, UpgradedConnection wire) {
        int count = reader.available();
        this.early = count == 0 ? null : reader.readBytes(count);
        this.wire = wire;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (early == null) {
            return wire.read(into, offset, length);
        }
        int count = Math.min(length, early.length - used);
        System.arraycopy(early, used, into, offset, count);
        used += count;
        if (used == early.length) {
            early = null;
        }
        return count;
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        wire.write(from, offset, length);
    }

    @Override
    public OptionalLong unacknowledgedBytes() {
        return wire.unacknowledgedBytes();
    }

    @Override
    public void abort(boolean discard) {
        wire.abort(discard);
    }
}
