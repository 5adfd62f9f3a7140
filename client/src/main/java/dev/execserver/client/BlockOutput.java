package dev.execserver.client;

import dev.execserver.client.rpc.AfterLoss;
import dev.execserver.client.rpc.Caller;
import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.fs.FsMethodNames;
import dev.execserver.protocol.fs.WriteBlockParams;
import dev.execserver.protocol.rpc.Base64Data;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Objects;

/**
 * Remote file as an output stream, with several blocks in flight. After a failed block nothing more is written: the
 * later blocks may have been written, and leave a hole before them. One thread.
 */
final class BlockOutput extends OutputStream {

    private final Caller caller;
    private final String handleId;
    private final ArrayDeque<Caller.Pending<Void>> sent = new ArrayDeque<>(FileMethods.BLOCKS_IN_FLIGHT);
    private byte[] block = new byte[FsLimits.BLOCK_BYTES];
    private int used;
    private long position;
    private boolean failed;
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

    /** Sends the buffered bytes, without waiting until they are written. */
    @Override
    public void flush() throws IOException {
        if (closed) {
            throw new IOException("the stream is closed");
        }
        if (failed) {
            throw new IOException("an earlier write to the stream has failed");
        }
        if (used > 0) {
            awaitAllBut(FileMethods.BLOCKS_IN_FLIGHT - 1);
            WriteBlockParams params = new WriteBlockParams(handleId, position, Base64Data.ofBytes(content()));
            sent.add(caller.begin(FsMethodNames.WRITE_BLOCK, params, AfterLoss.FAIL, Caller.NOTHING));
            position += used;
            used = 0;
        }
    }

    /** Returns an array that nothing writes to any more, because it may wait for a connection. */
    private byte[] content() {
        if (used < block.length) {
            return Arrays.copyOf(block, used);
        }
        byte[] full = block;
        block = new byte[FsLimits.BLOCK_BYTES];
        return full;
    }

    private void awaitAllBut(int count) throws IOException {
        while (sent.size() > count) {
            boolean written = false;
            try {
                Void unused = RemoteIo.run(sent.remove()::await);
                written = true;
            } finally {
                failed = !written;
            }
        }
    }

    @Override
    public void close() throws IOException {
        if (!closed) {
            try {
                if (!failed) { // write has already reported the failure
                    flush();
                    awaitAllBut(0);
                }
            } finally {
                closed = true;
                RemoteIo.close(caller, handleId);
            }
        }
    }
}
