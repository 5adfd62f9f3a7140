package dev.execserver.protocol.fs;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.RpcException;
import java.util.List;
import java.util.Optional;

/**
 * A file request that is complete when it is answered: it leaves nothing open. A new one is entered here, in its record, and in the
 * visitor that carries it out.
 */
public sealed interface FileRequest
        permits ReadFileParams,
                WriteFileParams,
                CreateDirectoryParams,
                MetadataParams,
                CanonicalizeParams,
                ReadDirectoryParams,
                WalkParams,
                RemoveParams,
                CopyParams,
                RenameParams,
                AppendParams,
                SetModeParams,
                SearchParams {

    /** Returns the path of the request, or the source if there are two paths. */
    PathUri path();

    /** Returns the sandbox in which the request must run; empty for none. */
    Optional<JsonSlice> sandbox();

    /** Returns the name of its method. */
    String method();

    FileUse use();

    /** Returns the paths that a request of the use {@link FileUse#WRITE} or {@link FileUse#REMOVE} changes. */
    default List<PathUri> written() {
        return List.of(path());
    }

    /** Methods of the reference protocol. */
    List<String> METHODS = List.of(
            FsMethodNames.READ_FILE,
            FsMethodNames.WRITE_FILE,
            FsMethodNames.CREATE_DIRECTORY,
            FsMethodNames.GET_METADATA,
            FsMethodNames.CANONICALIZE,
            FsMethodNames.READ_DIRECTORY,
            FsMethodNames.WALK,
            FsMethodNames.REMOVE,
            FsMethodNames.COPY);

    /** Methods that are additions. */
    List<String> ADDITIONS =
            List.of(FsMethodNames.RENAME, FsMethodNames.APPEND, FsMethodNames.SET_MODE, FsMethodNames.SEARCH);

    /**
     * Returns the request for a method and its params. Errors of the params are those of the records.
     *
     * @throws RpcException -32601 for another method
     */
    static FileRequest read(String method, JsonSlice params, Dialect dialect) {
        return switch (method) {
            case FsMethodNames.READ_FILE -> ReadFileParams.read(params, dialect);
            case FsMethodNames.WRITE_FILE -> WriteFileParams.read(params, dialect);
            case FsMethodNames.CREATE_DIRECTORY -> CreateDirectoryParams.read(params, dialect);
            case FsMethodNames.GET_METADATA -> MetadataParams.read(params, dialect);
            case FsMethodNames.CANONICALIZE -> CanonicalizeParams.read(params, dialect);
            case FsMethodNames.READ_DIRECTORY -> ReadDirectoryParams.read(params, dialect);
            case FsMethodNames.WALK -> WalkParams.read(params, dialect);
            case FsMethodNames.REMOVE -> RemoveParams.read(params, dialect);
            case FsMethodNames.COPY -> CopyParams.read(params, dialect);
            case FsMethodNames.RENAME -> RenameParams.read(params, dialect);
            case FsMethodNames.APPEND -> AppendParams.read(params, dialect);
            case FsMethodNames.SET_MODE -> SetModeParams.read(params, dialect);
            case FsMethodNames.SEARCH -> SearchParams.read(params, dialect);
            default -> throw RpcException.methodNotFound(method);
        };
    }

    /** Calls the method of the visitor for this type of request. */
    <R> R accept(Visitor<R> visitor);

    /**
     * Handler with a method for each type of request. A switch over the types does the same and is preferred, but its
     * first use costs a new JVM 5 ms, which would delay the first answer of a file helper.
     *
     * @param <R> type of the result
     */
    interface Visitor<R> {
        R readFile(ReadFileParams params);

        R writeFile(WriteFileParams params);

        R createDirectory(CreateDirectoryParams params);

        R metadata(MetadataParams params);

        R canonicalize(CanonicalizeParams params);

        R readDirectory(ReadDirectoryParams params);

        R walk(WalkParams params);

        R remove(RemoveParams params);

        R copy(CopyParams params);

        R rename(RenameParams params);

        R append(AppendParams params);

        R setMode(SetModeParams params);

        R search(SearchParams params);
    }
}
