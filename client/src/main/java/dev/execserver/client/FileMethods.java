package dev.execserver.client;

import dev.execserver.client.error.UnexpectedAnswerException;
import dev.execserver.client.files.FileWatch;
import dev.execserver.client.files.FileWatches;
import dev.execserver.client.rpc.AfterLoss;
import dev.execserver.client.rpc.Caller;
import dev.execserver.protocol.fs.AppendParams;
import dev.execserver.protocol.fs.AppendResult;
import dev.execserver.protocol.fs.CanonicalizeParams;
import dev.execserver.protocol.fs.CanonicalizeResult;
import dev.execserver.protocol.fs.CopyParams;
import dev.execserver.protocol.fs.CreateDirectoryParams;
import dev.execserver.protocol.fs.DirectoryEntry;
import dev.execserver.protocol.fs.FsFeatures;
import dev.execserver.protocol.fs.FsMethodNames;
import dev.execserver.protocol.fs.MetadataParams;
import dev.execserver.protocol.fs.MetadataResult;
import dev.execserver.protocol.fs.OpenMode;
import dev.execserver.protocol.fs.OpenParams;
import dev.execserver.protocol.fs.ReadDirectoryParams;
import dev.execserver.protocol.fs.ReadDirectoryResult;
import dev.execserver.protocol.fs.ReadFileParams;
import dev.execserver.protocol.fs.ReadFileResult;
import dev.execserver.protocol.fs.RemoveParams;
import dev.execserver.protocol.fs.RenameParams;
import dev.execserver.protocol.fs.SearchParams;
import dev.execserver.protocol.fs.SearchResult;
import dev.execserver.protocol.fs.SetModeParams;
import dev.execserver.protocol.fs.WalkOptions;
import dev.execserver.protocol.fs.WalkParams;
import dev.execserver.protocol.fs.WalkResult;
import dev.execserver.protocol.fs.WriteFileParams;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Base64Data;
import dev.execserver.protocol.rpc.InvalidBase64Exception;
import dev.execserver.protocol.rpc.RpcException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Methods {@code fs/*}. Errors are those of {@link dev.execserver.client.process.ProcessMethods}; a missing path is a
 * {@link dev.execserver.client.error.RequestFailedException} of code -32004. After a loss of the connection, methods
 * that only read are repeated. The others fail, because it is not known if they were carried out. Links are followed.
 */
public final class FileMethods {

    /**
     * Limit of blocks of 1 MiB of one stream that are in flight. They suffice for some 80 MB/s to a server that answers
     * after 100 ms. If a stream fails while it is written, at most this many blocks are in doubt.
     */
    public static final int BLOCKS_IN_FLIGHT = 8;

    private final AtomicLong handles = new AtomicLong();
    private final Caller caller;
    private final FileWatches watches;

    FileMethods(Caller caller, FileWatches watches) {
        this.caller = caller;
        this.watches = watches;
    }

    /** Returns kind, size and times; the mode needs the feature {@code mode}. */
    public MetadataResult getMetadata(MetadataParams params) throws InterruptedException {
        if (params.mode()) {
            caller.require(FsFeatures.MODE);
        }
        return caller.call(FsMethodNames.GET_METADATA, params, AfterLoss.REPEAT, MetadataResult::read);
    }

    /** Returns kind, size and times; for a link those of its target. */
    public MetadataResult metadata(PathUri path) throws InterruptedException {
        return getMetadata(new MetadataParams(path, true, Optional.empty()));
    }

    /** Returns the content of a file of up to some 48 MB; {@link #openRead} reads files of any size. */
    public byte[] readFile(PathUri path) throws InterruptedException {
        ReadFileParams params = new ReadFileParams(path, true, Optional.empty());
        ReadFileResult result = caller.call(FsMethodNames.READ_FILE, params, AfterLoss.REPEAT, ReadFileResult::read);
        return decoded(FsMethodNames.READ_FILE, result.data());
    }

    /** Makes a file or replaces its content, up to some 48 MB; {@link #openWrite} writes files of any size. */
    public void writeFile(PathUri path, byte[] content) throws InterruptedException {
        writeFile(new WriteFileParams(path, Base64Data.ofBytes(content)));
    }

    /**
     * Does the same as {@link #writeFile(PathUri, byte[])}; {@code atomic}, {@code expect} and {@code mode} need the
     * features of these names.
     */
    public void writeFile(WriteFileParams params) throws InterruptedException {
        if (params.atomic()) {
            caller.require(FsFeatures.ATOMIC);
        }
        if (params.expect().isPresent()) {
            caller.require(FsFeatures.EXPECT);
        }
        if (params.mode().isPresent()) {
            caller.require(FsFeatures.MODE);
        }
        caller.call(FsMethodNames.WRITE_FILE, params, AfterLoss.FAIL, Caller.NOTHING);
    }

    /**
     * Appends to a file, which is made if it does not exist; needs {@code fs/append}.
     *
     * @return the size of the file afterwards, in bytes
     */
    public long append(PathUri path, byte[] content) throws InterruptedException {
        caller.require(FsMethodNames.APPEND);
        AppendParams params = new AppendParams(path, Base64Data.ofBytes(content), true, Optional.empty());
        return caller.call(FsMethodNames.APPEND, params, AfterLoss.FAIL, AppendResult::read)
                .size();
    }

    /** Changes the permission bits of a file or directory, 0 to 07777; needs {@code fs/setMode}. */
    public void setMode(PathUri path, int mode) throws InterruptedException {
        caller.require(FsMethodNames.SET_MODE);
        SetModeParams params = new SetModeParams(path, mode, true, Optional.empty());
        caller.call(FsMethodNames.SET_MODE, params, AfterLoss.REPEAT, Caller.NOTHING);
    }

    /** Makes a directory and its missing parents; an existing directory is no error. */
    public void createDirectory(PathUri path) throws InterruptedException {
        CreateDirectoryParams params = new CreateDirectoryParams(path, true, true, Optional.empty());
        caller.call(FsMethodNames.CREATE_DIRECTORY, params, AfterLoss.REPEAT, Caller.NOTHING);
    }

    /** Does the same as {@link #createDirectory(PathUri)}, with the given parameters. */
    public void createDirectory(CreateDirectoryParams params) throws InterruptedException {
        AfterLoss afterLoss = params.recursive() ? AfterLoss.REPEAT : AfterLoss.FAIL;
        caller.call(FsMethodNames.CREATE_DIRECTORY, params, afterLoss, Caller.NOTHING);
    }

    /** Returns the entries of a directory, in no particular order. */
    public List<DirectoryEntry> list(PathUri path) throws InterruptedException {
        ReadDirectoryParams params = new ReadDirectoryParams(path, Optional.empty(), true, Long.MAX_VALUE);
        return caller.call(FsMethodNames.READ_DIRECTORY, params, AfterLoss.REPEAT, ReadDirectoryResult::read)
                .entries();
    }

    /** Returns the files and directories below a directory. */
    public WalkResult walk(PathUri path, WalkOptions options) throws InterruptedException {
        WalkParams params = new WalkParams(path, options, Optional.empty());
        return caller.call(FsMethodNames.WALK, params, AfterLoss.REPEAT, WalkResult::read);
    }

    /** Removes a file, a link itself, or a directory with everything below it; a missing path is no error. */
    public void remove(PathUri path) throws InterruptedException {
        remove(new RemoveParams(path, true, true, true, Optional.empty()));
    }

    /** Does the same as {@link #remove(PathUri)}, with the given parameters. */
    public void remove(RemoveParams params) throws InterruptedException {
        AfterLoss afterLoss = params.force() ? AfterLoss.REPEAT : AfterLoss.FAIL;
        caller.call(FsMethodNames.REMOVE, params, afterLoss, Caller.NOTHING);
    }

    /** Copies a file, a link itself, or a directory with everything below it on the server. */
    public void copy(PathUri source, PathUri destination) throws InterruptedException {
        CopyParams params = new CopyParams(source, destination, true, Optional.empty());
        caller.call(FsMethodNames.COPY, params, AfterLoss.FAIL, Caller.NOTHING);
    }

    /** Renames within one file system; needs {@code fs/rename}. */
    public void rename(PathUri source, PathUri destination, boolean replace) throws InterruptedException {
        caller.require(FsMethodNames.RENAME);
        RenameParams params = new RenameParams(source, destination, replace, Optional.empty());
        caller.call(FsMethodNames.RENAME, params, AfterLoss.FAIL, Caller.NOTHING);
    }

    /** Returns the path without links and dots. */
    public PathUri canonicalize(PathUri path) throws InterruptedException {
        CanonicalizeParams params = new CanonicalizeParams(path, Optional.empty());
        return caller.call(FsMethodNames.CANONICALIZE, params, AfterLoss.REPEAT, CanonicalizeResult::read)
                .path();
    }

    /**
     * Opens a file of any size as a stream. It is read in blocks of 1 MiB, with up to {@link #BLOCKS_IN_FLIGHT}
     * requested ahead. A lost connection ends the stream, because its handle is gone. Close it; one thread.
     */
    public InputStream openRead(PathUri path) throws InterruptedException {
        return openRead(path, 0);
    }

    /** Does the same as {@link #openRead(PathUri)}, from this byte on. */
    public InputStream openRead(PathUri path, long from) throws InterruptedException {
        return new BlockInput(caller, open(path, OpenMode.READ), from);
    }

    /**
     * Makes or empties a file and opens it as a stream. It is written in blocks of 1 MiB, with
     * {@link #BLOCKS_IN_FLIGHT} in flight; everything is written when close returns. A lost connection ends the stream
     * and leaves an incomplete file. One thread.
     */
    public OutputStream openWrite(PathUri path) throws InterruptedException {
        return new BlockOutput(caller, open(path, OpenMode.REPLACE));
    }

    /** Finds lines that contain a text or match a regular expression; needs {@code fs/search}. */
    public SearchResult search(SearchParams params) throws InterruptedException {
        caller.require(FsMethodNames.SEARCH);
        return caller.call(FsMethodNames.SEARCH, params, AfterLoss.REPEAT, SearchResult::read);
    }

    /**
     * Watches a file or the entries of a directory, but not deeper ones; needs {@code fs/watch}. Close it. A lost
     * connection ends it.
     */
    public FileWatch watch(PathUri path) throws InterruptedException {
        return watches.watch(caller, path);
    }

    private String open(PathUri path, OpenMode mode) throws InterruptedException {
        String handleId = "stream-" + handles.incrementAndGet();
        OpenParams params = new OpenParams(handleId, path, mode, Optional.empty());
        caller.call(FsMethodNames.OPEN, params, AfterLoss.FAIL, Caller.NOTHING);
        return handleId;
    }

    static byte[] decoded(String method, Base64Data data) {
        try {
            return data.toByteArray();
        } catch (InvalidBase64Exception e) {
            throw new UnexpectedAnswerException(method, RpcException.invalidParams(e.getMessage()));
        }
    }
}
