package dev.execserver.protocol.fs;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.JsonSlice;
import java.util.Optional;

/** A file request that is complete when it is answered: it leaves nothing open. */
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
