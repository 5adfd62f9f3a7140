package dev.execserver.helper.fs;

import dev.execserver.protocol.fs.FileRequest;
import dev.execserver.protocol.fs.MetadataParams;
import dev.execserver.protocol.fs.OpenMode;
import dev.execserver.protocol.fs.OpenParams;
import dev.execserver.protocol.fs.ReadFileParams;
import dev.execserver.protocol.fs.SearchParams;
import dev.execserver.protocol.fs.WriteFileParams;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.LinuxException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Runs file requests and returns their results. Every call may block for as long as the file system blocks. Stateless.
 */
public final class FileOperations {

    /** Longest time that a write with an expectation waits for the lock on the directory. */
    public static final Duration LOCK_LIMIT = Duration.ofSeconds(5);

    private FileOperations() {}

    /**
     * Runs a request. A result that may be large reads the file system only while it is encoded, so the calling thread
     * must encode it.
     *
     * @throws RpcException with code and text of the protocol; a result may throw it too while it is encoded
     */
    public static JsonWritable run(FileRequest request) {
        return run(request, DisclosurePolicy.FULL);
    }

    /**
     * Runs a request for a client that may see less than this process.
     *
     * @param disclosure applies to {@code fs/readFile}, {@code fs/getMetadata}, {@code fs/canonicalize},
     *     {@code fs/readDirectory} and {@code fs/walk}; other requests ignore it, so callers must not pass them here for
     *     such a client
     */
    public static JsonWritable run(FileRequest request, DisclosurePolicy disclosure) {
        try {
            return request.accept(
                    disclosure == DisclosurePolicy.FULL
                            ? OperationDispatcher.INSTANCE
                            : new OperationDispatcher(disclosure));
        } catch (LinuxException e) {
            throw FileErrors.of(e, request.path().display());
        }
    }

    /**
     * Tries {@code fs/writeFile} with an expectation once, for callers that wait for the lock of the directory
     * themselves. They wait at most {@link #LOCK_LIMIT} and then answer {@link #locked}.
     *
     * @return false when another program holds the lock
     */
    public static boolean tryWrite(WriteFileParams params) {
        try {
            return ConditionalWrite.tryWrite(params);
        } catch (LinuxException e) {
            throw FileErrors.of(e, params.path().display());
        }
    }

    /** Returns the error for a write that did not get the lock in time. */
    public static RpcException locked(WriteFileParams params) {
        return ConditionalWrite.locked(params);
    }

    /** Returns true if {@link #runCached} supports requests of this type. */
    public static boolean mayBeCached(FileRequest request) {
        return request instanceof MetadataParams || request instanceof ReadFileParams;
    }

    /**
     * Returns the result if it is available without waiting. Empty means that {@link #run} must be called. Virtual
     * threads may call this.
     */
    public static Optional<JsonWritable> runCached(FileRequest request, DisclosurePolicy disclosure) {
        return switch (request) {
            case MetadataParams params ->
                Metadata.readCached(params, disclosure).map(JsonWritable.class::cast);
            case ReadFileParams params -> ReadFile.readCached(params, disclosure);
            default -> Optional.empty();
        };
    }

    /**
     * Runs {@code fs/search} with a filter for files.
     *
     * @param candidates gets paths relative to the searched directory; false means that the file is known not to
     *     contain the pattern
     */
    public static JsonWritable search(SearchParams params, Predicate<byte[]> candidates) {
        try {
            return TreeSearch.search(params, candidates);
        } catch (LinuxException e) {
            throw FileErrors.of(e, params.path().display());
        }
    }

    /** Opens a file for {@code fs/open}. */
    public static RegularFile open(OpenParams params) {
        return open(params, DisclosurePolicy.FULL);
    }

    /**
     * Does the same for a client that may see less than this process. Such a client may only open files for reading.
     */
    public static RegularFile open(OpenParams params, DisclosurePolicy disclosure) {
        byte[] path = Paths.of(params.path());
        return params.mode() == OpenMode.READ
                ? RegularFile.read(path, true, disclosure)
                : RegularFile.replace(path, true);
    }
}
