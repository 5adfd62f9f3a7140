package dev.execserver.client;

import dev.execserver.client.rpc.AfterLoss;
import dev.execserver.client.rpc.Caller;
import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.fs.FsMethodNames;
import dev.execserver.protocol.fs.WriteBlockParams;
import dev.execserver.protocol.rpc.Base64Data;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/** A remote file that is written as a stream. One thread. */
final class BlockOutput extends OutputStream {

    private final Caller caller;
    private final String handleId;
    private final byte[] block = new byte[FsLimits.BLOCK_BYTES];
    private int used;
    private long position;
    private boolean closed;

    BlockOutput(Caller caller, String handleId) {
        this.caller = caller;
        this.handleId = handleId;
    }

    @Override
    public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        int done = 0;
        while (done < length) {
            int count = Math.min(length - done, block.length - used);
            System.arraycopy(bytes, offset + done, block, used, count);
            used += count;
            done += count;
            if (used == block.length) {
                flush();
            }
        }
    }

    @Override
    public void flush() throws IOException {
        if (closed) {
            throw new IOException("the stream is closed");
        }
        if (used > 0) {
            WriteBlockParams params = new WriteBlockParams(handleId, position, Base64Data.ofBytes(block, 0, used));
            RemoteIo.run(() -> caller.call(FsMethodNames.WRITE_BLOCK, params, AfterLoss.FAIL, Caller.NOTHING));
            position += used;
            used = 0;
        }
    }

    @Override
    public void close() throws IOException {
        if (!closed) {
            try {
                flush();
            } finally {
                closed = true;
                RemoteIo.close(caller, handleId);
            }
        }
    }
}
