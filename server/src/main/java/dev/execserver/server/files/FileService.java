package dev.execserver.server.files;

import dev.execserver.helper.fs.Disclosure;
import dev.execserver.helper.fs.RegularFile;
import dev.execserver.protocol.fs.FileRequest;
import dev.execserver.protocol.fs.OpenParams;
import dev.execserver.protocol.rpc.JsonWritable;
import java.util.Optional;

/**
 * Where file operations are carried out: in this process, or by a helper inside of a sandbox. Everything but
 * {@link #runCached} may wait for as long as a file system likes and is called on file workers.
 */
public interface FileService {

    /**
     * Carries out a request.
     *
     * @return the result, to be encoded by the same thread: it may read the file system only then
     * @param disclosure what may be told of files, for requests that only read
     * @throws dev.execserver.protocol.rpc.RpcException with code and text of the protocol
     */
    JsonWritable run(FileRequest request, Disclosure disclosure);

    /** Whether {@link #runCached} knows such requests. */
    default boolean mayBeCached(FileRequest request) {
        return false;
    }

    /** The result if it can be had without waiting, else empty. */
    default Optional<JsonWritable> runCached(FileRequest request, Disclosure disclosure) {
        return Optional.empty();
    }

    /** Opens a file for a handle. Reading and writing it is then the caller's, in this process. */
    RegularFile open(OpenParams params, Disclosure disclosure);
}
