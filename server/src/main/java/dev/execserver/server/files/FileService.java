package dev.execserver.server.files;

import dev.execserver.helper.fs.DisclosurePolicy;
import dev.execserver.helper.fs.RegularFile;
import dev.execserver.protocol.fs.FileRequest;
import dev.execserver.protocol.fs.OpenParams;
import dev.execserver.protocol.rpc.JsonWritable;
import java.util.Optional;

/**
 * Carries out file operations in this process. All methods except {@link #runCached} may wait for a file system without
 * limit and are called on file workers.
 */
public interface FileService {

    /**
     * Carries out a request.
     *
     * @return the result; the same thread must encode it, because that may read the file system
     * @param disclosure limits what a read request reports about files
     * @throws dev.execserver.protocol.rpc.RpcException with code and text of the protocol
     */
    JsonWritable run(FileRequest request, DisclosurePolicy disclosure);

    /** Returns true if {@link #runCached} supports the request. */
    default boolean mayBeCached(FileRequest request) {
        return false;
    }

    /** Returns the result if it can be had without waiting, else empty. */
    default Optional<JsonWritable> runCached(FileRequest request, DisclosurePolicy disclosure) {
        return Optional.empty();
    }

    /** Opens a file for a handle. The caller then reads and writes it in this process. */
    RegularFile open(OpenParams params, DisclosurePolicy disclosure);
}
