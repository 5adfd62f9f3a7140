package dev.execserver.helper.fs;

import dev.execserver.protocol.fs.AppendParams;
import dev.execserver.protocol.fs.CanonicalizeParams;
import dev.execserver.protocol.fs.CopyParams;
import dev.execserver.protocol.fs.CreateDirectoryParams;
import dev.execserver.protocol.fs.FileRequest;
import dev.execserver.protocol.fs.MetadataParams;
import dev.execserver.protocol.fs.ReadDirectoryParams;
import dev.execserver.protocol.fs.ReadFileParams;
import dev.execserver.protocol.fs.RemoveParams;
import dev.execserver.protocol.fs.RenameParams;
import dev.execserver.protocol.fs.SearchParams;
import dev.execserver.protocol.fs.SetModeParams;
import dev.execserver.protocol.fs.WalkParams;
import dev.execserver.protocol.fs.WriteFileParams;
import dev.execserver.protocol.rpc.JsonWritable;

/** Runs the operation that belongs to each type of request. Immutable. */
final class OperationDispatcher implements FileRequest.Visitor<JsonWritable> {

    /** For clients that may see everything that this process may see. */
    static final OperationDispatcher INSTANCE = new OperationDispatcher(DisclosurePolicy.FULL);

    private final DisclosurePolicy disclosure;

    OperationDispatcher(DisclosurePolicy disclosure) {
        this.disclosure = disclosure;
    }

    @Override
    public JsonWritable readFile(ReadFileParams params) {
        return new ReadFile(params, disclosure);
    }

    @Override
    public JsonWritable writeFile(WriteFileParams params) {
        WriteFile.write(params);
        return JsonWritable.EMPTY_OBJECT;
    }

    @Override
    public JsonWritable createDirectory(CreateDirectoryParams params) {
        DirectoryOperations.create(params);
        return JsonWritable.EMPTY_OBJECT;
    }

    @Override
    public JsonWritable metadata(MetadataParams params) {
        return Metadata.read(params, disclosure);
    }

    @Override
    public JsonWritable canonicalize(CanonicalizeParams params) {
        return DirectoryOperations.canonicalize(params, disclosure);
    }

    @Override
    public JsonWritable readDirectory(ReadDirectoryParams params) {
        return new ReadDirectory(params, disclosure);
    }

    @Override
    public JsonWritable walk(WalkParams params) {
        return TreeWalk.walk(params, disclosure);
    }

    @Override
    public JsonWritable remove(RemoveParams params) {
        TreeRemoval.remove(params);
        return JsonWritable.EMPTY_OBJECT;
    }

    @Override
    public JsonWritable copy(CopyParams params) {
        TreeCopy.copy(params);
        return JsonWritable.EMPTY_OBJECT;
    }

    @Override
    public JsonWritable rename(RenameParams params) {
        RenameAndAppend.rename(params);
        return JsonWritable.EMPTY_OBJECT;
    }

    @Override
    public JsonWritable append(AppendParams params) {
        return RenameAndAppend.append(params);
    }

    @Override
    public JsonWritable setMode(SetModeParams params) {
        ModeChange.change(params);
        return JsonWritable.EMPTY_OBJECT;
    }

    @Override
    public JsonWritable search(SearchParams params) {
        return TreeSearch.search(params, file -> true);
    }
}
