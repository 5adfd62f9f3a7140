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
}
