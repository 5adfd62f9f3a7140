package dev.execserver.protocol.fs;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.JsonSlice;
import java.util.Optional;

/** A request about paths that is done when it is answered: nothing of it stays open. */
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

    /** The path that the request is about, the source where there are two. */
    PathUri path();

    /** The sandbox that the request shall run in; empty for none. */
    Optional<JsonSlice> sandbox();

    /** Calls the method for this request. */
    <R> R accept(Visitor<R> visitor);

    /**
     * What to do with each request. A switch over the types does the same and is preferred; its first use takes a JVM that has
     * just started 5 ms, which the first answer of a file helper would wait for.
     *
     * @param <R> what comes out
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
