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

/** From requests to results. Every call may block for as long as the file system likes. Stateless. */
public final class FileOperations {

    /** How long a write with an expectation waits for the lock on the directory. */
    public static final Duration LOCK_LIMIT = Duration.ofSeconds(5);

    private FileOperations() {}

    /**
     * Carries out a request. Results that may be large read the file system only while they are being written: to be
     * encoded by the thread that called this.
     *
     * @throws RpcException with code and text of the protocol, now or when the result is written
     */
    public static JsonWritable run(FileRequest request) {
        return run(request, Disclosure.FULL);
    }

    /**
     * As above.
     *
     * @param disclosure for reading one file or directory, or walking; other requests are not for those who may be told less
     *     than everything
     */
    public static JsonWritable run(FileRequest request, Disclosure disclosure) {
        try {
            return request.accept(disclosure == Disclosure.FULL ? Operations.INSTANCE : new Operations(disclosure));
        } catch (LinuxException e) {
            throw FileErrors.of(e, request.path().display());
        }
    }

    /**
     * {@code fs/writeFile} with an expectation, for those who wait elsewhere for the lock on the directory: at most
     * {@link #LOCK_LIMIT}, and after that say {@link #locked}.
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

    /** What a write is told that has waited in vain. */
    public static RpcException locked(WriteFileParams params) {
        return ConditionalWrite.locked(params);
    }

    /** Whether {@link #runCached} knows such requests. */
    public static boolean mayBeCached(FileRequest request) {
        return request instanceof MetadataParams || request instanceof ReadFileParams;
    }

    /**
     * The result if it can be had without waiting, for some requests; empty when {@link #run} must be asked. May be called
     * by virtual threads.
     */
    public static Optional<JsonWritable> runCached(FileRequest request, Disclosure disclosure) {
        return switch (request) {
            case MetadataParams params ->
                Metadata.readCached(params, disclosure).map(JsonWritable.class::cast);
            case ReadFileParams params -> ReadFile.readCached(params, disclosure);
            default -> Optional.empty();
        };
    }

    /**
     * {@code fs/search} by somebody who knows more.
     *
     * @param candidates false for files, by their way from the directory, that are known not to contain the pattern
     */
    public static JsonWritable search(SearchParams params, Predicate<byte[]> candidates) {
        try {
            return TreeSearch.search(params, candidates);
        } catch (LinuxException e) {
            throw FileErrors.of(e, params.path().display());
        }
    }

    /** {@code fs/open}. */
    public static RegularFile open(OpenParams params) {
        return open(params, Disclosure.FULL);
    }

    /** As above; files are only read for those who may be told less than everything. */
    public static RegularFile open(OpenParams params, Disclosure disclosure) {
        byte[] path = Paths.of(params.path());
        return params.mode() == OpenMode.READ
                ? RegularFile.read(path, true, disclosure)
                : RegularFile.replace(path, true);
    }
}
