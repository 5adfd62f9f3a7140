package dev.execserver.client;

import dev.execserver.client.rpc.AfterLoss;
import dev.execserver.client.rpc.Caller;
import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.fs.FsMethodNames;
import dev.execserver.protocol.fs.ReadBlockParams;
import dev.execserver.protocol.fs.ReadBlockResult;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Objects;

/**
 * Remote file as an input stream. Blocks are requested ahead, more of them the further it is read, so that a distant
 * server does not cost a round trip for each block. One thread.
 */
final class BlockInput extends InputStream {

    /** Limit of the message with one block: Base64 takes a third more, and there is some syntax around it. */
    static final int MAX_ANSWER_BYTES = 2 * FsLimits.BLOCK_BYTES;

    private final Caller caller;
    private final String handleId;
    private final ArrayDeque<Caller.Pending<ReadBlockResult>> asked = new ArrayDeque<>(FileMethods.BLOCKS_IN_FLIGHT);
    private byte[] block = {};
    private int used;
    /** Offset of the next block to read, and of the next block to request. */
    private long position;

    private long askedTo;
    private int ahead = 1;
    private boolean end;
    private boolean closed;

    /** @param from offset in the file, in bytes */
    BlockInput(Caller caller, String handleId, long from) {
        this.caller = caller;
        this.handleId = handleId;
        this.position = from;
        this.askedTo = from;
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
        while (asked.size() < ahead) {
            asked.add(caller.begin(
                    FsMethodNames.READ_BLOCK,
                    new ReadBlockParams(handleId, askedTo, FsLimits.BLOCK_BYTES),
                    AfterLoss.FAIL,
                    MAX_ANSWER_BYTES,
                    ReadBlockResult::read));
            askedTo += FsLimits.BLOCK_BYTES;
        }
        ahead = Math.min(ahead + 1, FileMethods.BLOCKS_IN_FLIGHT);
        boolean whole = false;
        try {
            ReadBlockResult result = RemoteIo.run(asked.remove()::await);
            block = FileMethods.decoded(FsMethodNames.READ_BLOCK, result.chunk());
            used = 0;
            position += block.length;
            end = result.eof();
            whole = block.length == FsLimits.BLOCK_BYTES;
        } finally {
            if (!whole) {
                asked.clear(); // the requested blocks would not begin where this one ends
                askedTo = position;
            }
        }
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
