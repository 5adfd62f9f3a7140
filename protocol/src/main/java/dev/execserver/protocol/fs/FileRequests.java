package dev.execserver.protocol.fs;

import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.RpcException;

/** Maps methods to their {@link FileRequest} params. Stateless. */
public final class FileRequests {

    private FileRequests() {}

    /** Returns the method of a request. */
    public static String method(FileRequest request) {
        return switch (request) {
            case ReadFileParams _ -> FsMethodNames.READ_FILE;
            case WriteFileParams _ -> FsMethodNames.WRITE_FILE;
            case CreateDirectoryParams _ -> FsMethodNames.CREATE_DIRECTORY;
            case MetadataParams _ -> FsMethodNames.GET_METADATA;
            case CanonicalizeParams _ -> FsMethodNames.CANONICALIZE;
            case ReadDirectoryParams _ -> FsMethodNames.READ_DIRECTORY;
            case WalkParams _ -> FsMethodNames.WALK;
            case RemoveParams _ -> FsMethodNames.REMOVE;
            case CopyParams _ -> FsMethodNames.COPY;
            case RenameParams _ -> FsMethodNames.RENAME;
            case AppendParams _ -> FsMethodNames.APPEND;
            case SetModeParams _ -> FsMethodNames.SET_MODE;
            case SearchParams _ -> FsMethodNames.SEARCH;
        };
    }

    /**
     * Returns the request for a method and its params. Errors of the params are those of the records.
     *
     * @throws RpcException -32601 for another method
     */
    public static FileRequest read(String method, JsonSlice params, Dialect dialect) {
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
}
