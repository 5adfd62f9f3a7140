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
 * The {@code fs/*} methods. Errors are those of {@link dev.execserver.client.process.ProcessMethods}; a path that does not
 * exist is a {@link dev.execserver.client.error.RequestFailedException} of code -32004. Those that only look are repeated
 * after a loss of the connection, the others fail: whether they were carried out is not known. Links are followed.
 */
public final class FileMethods {

    /**
     * Blocks of a mebibyte of one stream that are under way at once: enough for some 80 MB/s to a server that answers after
     * 100 ms. A stream that fails while it is written leaves at most so many in doubt.
     */
    public static final int BLOCKS_IN_FLIGHT = 8;

    private static final String MODE_FEATURE = "mode";

    private final AtomicLong handles = new AtomicLong();
    private final Caller caller;
    private final FileWatches watches;

    FileMethods(Caller caller, FileWatches watches) {
        this.caller = caller;
        this.watches = watches;
    }

    /** Kind, size and times; the mode needs the feature {@code mode}. */
    public MetadataResult getMetadata(MetadataParams params) throws InterruptedException {
        if (params.mode()) {
            caller.require(MODE_FEATURE);
        }
        return caller.call(FsMethodNames.GET_METADATA, params, AfterLoss.REPEAT, MetadataResult::read);
    }

    /** Kind, size and times; those of the target of a link. */
    public MetadataResult metadata(PathUri path) throws InterruptedException {
        return getMetadata(new MetadataParams(path, true, Optional.empty()));
    }

    /** The whole of a file of up to some 48 MB; {@link #openRead} takes any. */
    public byte[] readFile(PathUri path) throws InterruptedException {
        ReadFileParams params = new ReadFileParams(path, true, Optional.empty());
        ReadFileResult result = caller.call(FsMethodNames.READ_FILE, params, AfterLoss.REPEAT, ReadFileResult::read);
        return decoded(FsMethodNames.READ_FILE, result.data());
    }

    /** Makes a file or replaces the content of one, up to some 48 MB; {@link #openWrite} takes any. */
    public void writeFile(PathUri path, byte[] content) throws InterruptedException {
        writeFile(new WriteFileParams(path, Base64Data.ofBytes(content)));
    }

    /** As {@link #writeFile(PathUri, byte[])}; {@code atomic}, {@code expect} and {@code mode} need the features of these names. */
    public void writeFile(WriteFileParams params) throws InterruptedException {
        if (params.atomic()) {
            caller.require("atomic");
        }
        if (params.expect().isPresent()) {
            caller.require("expect");
        }
        if (params.mode().isPresent()) {
            caller.require(MODE_FEATURE);
        }
        caller.call(FsMethodNames.WRITE_FILE, params, AfterLoss.FAIL, Caller.NOTHING);
    }

    /**
     * Writes behind the end of a file, which is made when there is none; needs {@code fs/append}.
     *
     * @return the size of the file after it, in bytes
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

    /** Makes a directory and what is missing of the way to it; one that exists is no error. */
    public void createDirectory(PathUri path) throws InterruptedException {
        CreateDirectoryParams params = new CreateDirectoryParams(path, true, true, Optional.empty());
        caller.call(FsMethodNames.CREATE_DIRECTORY, params, AfterLoss.REPEAT, Caller.NOTHING);
    }

    /** As {@link #createDirectory(PathUri)}, as asked. */
    public void createDirectory(CreateDirectoryParams params) throws InterruptedException {
        AfterLoss afterLoss = params.recursive() ? AfterLoss.REPEAT : AfterLoss.FAIL;
        caller.call(FsMethodNames.CREATE_DIRECTORY, params, afterLoss, Caller.NOTHING);
    }

    /** The entries of a directory, in no particular order. */
    public List<DirectoryEntry> list(PathUri path) throws InterruptedException {
        ReadDirectoryParams params = new ReadDirectoryParams(path, Optional.empty(), true, Long.MAX_VALUE);
        return caller.call(FsMethodNames.READ_DIRECTORY, params, AfterLoss.REPEAT, ReadDirectoryResult::read)
                .entries();
    }

    /** What lies below a directory. */
    public WalkResult walk(PathUri path, WalkOptions options) throws InterruptedException {
        WalkParams params = new WalkParams(path, options, Optional.empty());
        return caller.call(FsMethodNames.WALK, params, AfterLoss.REPEAT, WalkResult::read);
    }

    /** Removes a file, a link itself, or a directory with everything below it; nothing there is no error. */
    public void remove(PathUri path) throws InterruptedException {
        remove(new RemoveParams(path, true, true, true, Optional.empty()));
    }

    /** As {@link #remove(PathUri)}, as asked. */
    public void remove(RemoveParams params) throws InterruptedException {
        AfterLoss afterLoss = params.force() ? AfterLoss.REPEAT : AfterLoss.FAIL;
        caller.call(FsMethodNames.REMOVE, params, afterLoss, Caller.NOTHING);
    }

    /** Copies on the server a file, a link itself, or a directory with everything below it. */
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

    /** The path without links and dots. */
    public PathUri canonicalize(PathUri path) throws InterruptedException {
        CanonicalizeParams params = new CanonicalizeParams(path, Optional.empty());
        return caller.call(FsMethodNames.CANONICALIZE, params, AfterLoss.REPEAT, CanonicalizeResult::read)
                .path();
    }

    /**
     * A file of any size as a stream, read in blocks of a mebibyte, up to {@link #BLOCKS_IN_FLIGHT} of them ahead. A lost
     * connection ends it: its handle is gone. To be closed; one thread.
     */
    public InputStream openRead(PathUri path) throws InterruptedException {
        return openRead(path, 0);
    }

    /** As {@link #openRead(PathUri)}, from this byte on. */
    public InputStream openRead(PathUri path, long from) throws InterruptedException {
        return new BlockInput(caller, open(path, OpenMode.READ), from);
    }

    /**
     * Makes or empties a file and writes it in blocks of a mebibyte, {@link #BLOCKS_IN_FLIGHT} at once; what was written is
     * there when the stream was closed. A lost connection ends it and leaves the file as far as it was written. One thread.
     */
    public OutputStream openWrite(PathUri path) throws InterruptedException {
        return new BlockOutput(caller, open(path, OpenMode.REPLACE));
    }

    /** Lines that contain a text or match a regular expression; needs {@code fs/search}. */
    public SearchResult search(SearchParams params) throws InterruptedException {
        caller.require(FsMethodNames.SEARCH);
        return caller.call(FsMethodNames.SEARCH, params, AfterLoss.REPEAT, SearchResult::read);
    }

    /**
     * Watches a file or the entries of a directory, not what lies deeper; needs {@code fs/watch}. To be closed. A lost
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
