package dev.execserver.client;

import dev.execserver.client.rpc.AfterLoss;
import dev.execserver.client.rpc.Caller;
import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.fs.FsMethodNames;
import dev.execserver.protocol.fs.ReadBlockParams;
import dev.execserver.protocol.fs.ReadBlockResult;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** A remote file as a stream. One thread. */
final class BlockInput extends InputStream {

    private final Caller caller;
    private final String handleId;
    private byte[] block = {};
    private int used;
    private long position;
    private boolean end;
    private boolean closed;

    /** @param from bytes from the start of the file */
    BlockInput(Caller caller, String handleId, long from) {
        this.caller = caller;
        this.handleId = handleId;
        this.position = from;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, to.length);
        if (length == 0) {
            return 0;
        }
        if (used == block.length && !fill()) {
            return -1;
        }
        int count = Math.min(length, block.length - used);
        System.arraycopy(block, used, to, offset, count);
        used += count;
        return count;
    }

    @Override
    public int available() {
        return block.length - used;
    }

    private boolean fill() throws IOException {
        if (closed) {
            throw new IOException("the stream is closed");
        }
        if (end) {
            return false;
        }
        ReadBlockParams params = new ReadBlockParams(handleId, position, FsLimits.BLOCK_BYTES);
        ReadBlockResult result = RemoteIo.run(
                () -> caller.call(FsMethodNames.READ_BLOCK, params, AfterLoss.FAIL, ReadBlockResult::read));
        block = FileMethods.decoded(FsMethodNames.READ_BLOCK, result.chunk());
        used = 0;
        position += block.length;
        end = result.eof();
        return block.length > 0;
    }

    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            block = new byte[0];
            used = 0;
            RemoteIo.close(caller, handleId);
        }
    }
}
