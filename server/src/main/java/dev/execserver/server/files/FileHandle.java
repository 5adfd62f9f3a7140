package dev.execserver.server.files;

import dev.execserver.helper.fs.RegularFile;
import dev.execserver.protocol.fs.ReadBlockParams;
import dev.execserver.protocol.fs.ReadBlockResult;
import dev.execserver.protocol.fs.WriteBlockParams;
import dev.execserver.protocol.rpc.Base64Data;
import dev.execserver.protocol.rpc.InvalidBase64Exception;
import dev.execserver.protocol.rpc.RpcException;
import java.util.Optional;

/**
 * A file that a connection has opened or is about to open. Its requests run one after another in order of arrival;
 * between two of them no thread touches the file.
 */
public final class FileHandle {

    private final String id;
    private final RequestOrder turns = new RequestOrder();
    private Optional<RegularFile> file = Optional.empty();

    FileHandle(String id) {
        this.id = id;
    }

    String id() {
        return id;
    }

    /** Returns the next turn. Reader thread only. */
    public RequestOrder.Turn nextTurn() {
        return turns.next();
    }

    public void opened(RegularFile opened) {
        file = Optional.of(opened);
    }

    /** Reads a block. Runs on a file worker. */
    public ReadBlockResult read(ReadBlockParams params) {
        byte[] block = new byte[(int) params.len()];
        int count = require().read(block, 0, block.length, params.offset());
        return new ReadBlockResult(Base64Data.ofBytes(block, 0, count), count < block.length);
    }

    /** Writes a block. Runs on a file worker. */
    public void write(WriteBlockParams params) {
        RegularFile target = require();
        long[] position = {params.offset()};
        try {
            params.chunk().forEachPiece((bytes, offset, length) -> {
                target.write(bytes, offset, length, position[0]);
                position[0] += length;
            });
        } catch (InvalidBase64Exception e) {
            throw new IllegalStateException("checked when it was received", e);
        }
    }

    /** Closes the file. Runs on a file worker. */
    void close() {
        file.ifPresent(RegularFile::close);
        file = Optional.empty();
    }

    private RegularFile require() {
        return file.orElseThrow(() -> unknown(id));
    }

    static RpcException unknown(String id) {
        return RpcException.notFound("unknown file handle `" + id + "`");
    }
}
