package dev.execserver.server.files;

import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.rpc.ConnectionState;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The open files of one connection. The connection's reader thread reserves, finds and removes handles, and closes all
 * of them at its end; a request thread only forgets a handle whose file could not be opened.
 */
public final class FileHandles implements ConnectionState {

    private final Map<String, FileHandle> handles = new ConcurrentHashMap<>();
    private final FileWorkers workers;

    public FileHandles(FileWorkers workers) {
        this.workers = workers;
    }

    /**
     * Reserves an id for a file that is about to be opened. From now on other requests find the handle.
     *
     * @throws RpcException -32600 if the id is too long or taken, or too many files are open
     */
    public FileHandle reserve(String id) {
        if (id.getBytes(StandardCharsets.UTF_8).length > FsLimits.HANDLE_ID_BYTES) {
            throw RpcException.invalidRequest("file handle ID must not exceed " + FsLimits.HANDLE_ID_BYTES + " bytes");
        }
        if (handles.containsKey(id)) {
            throw RpcException.invalidRequest("file handle `" + id + "` already exists");
        }
        if (handles.size() >= FsLimits.HANDLES) {
            throw RpcException.invalidRequest(
                    "at most " + FsLimits.HANDLES + " file handles may be open per connection");
        }
        FileHandle handle = new FileHandle(id);
        handles.put(id, handle);
        return handle;
    }

    /** @throws RpcException -32004 if there is no such handle */
    public FileHandle require(String id) {
        FileHandle handle = handles.get(id);
        if (handle == null) {
            throw FileHandle.unknown(id);
        }
        return handle;
    }

    /** Removes the handle and returns it. */
    public Optional<FileHandle> take(String id) {
        return Optional.ofNullable(handles.remove(id));
    }

    /** Frees the id of a handle whose file could not be opened. */
    public void forget(FileHandle handle) {
        handles.remove(handle.id(), handle);
    }

    /** Closes the file when its turn has come. Closes it even if all file workers are busy. */
    public void close(FileHandle handle, RequestOrder.Turn turn) throws InterruptedException {
        turn.run(() -> {
            workers.release(handle::close);
            return handle;
        });
    }

    @Override
    public void connectionEnded() {
        for (FileHandle handle : handles.values()) {
            RequestOrder.Turn turn = handle.nextTurn();
            Threads.virtual("file-handle-end", () -> closeAtEnd(handle, turn));
        }
        handles.clear();
    }

    private void closeAtEnd(FileHandle handle, RequestOrder.Turn turn) {
        try {
            close(handle, turn);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
