package dev.execserver.server.files;

import dev.execserver.helper.fs.DisclosurePolicy;
import dev.execserver.helper.fs.FileOperations;
import dev.execserver.helper.fs.RegularFile;
import dev.execserver.protocol.fs.FileRequest;
import dev.execserver.protocol.fs.OpenParams;
import dev.execserver.protocol.fs.SearchParams;
import dev.execserver.protocol.rpc.JsonWritable;
import java.util.Optional;
import java.util.function.Supplier;

/** File operations in this process, with all rights of the server. No state. */
public final class InProcessFiles implements FileService {

    private final Supplier<Optional<RipgrepSearch>> ripgrep;

    public InProcessFiles(Supplier<Optional<RipgrepSearch>> ripgrep) {
        this.ripgrep = ripgrep;
    }

    @Override
    public JsonWritable run(FileRequest request, DisclosurePolicy disclosure) {
        return request instanceof SearchParams search ? search(search) : FileOperations.run(request, disclosure);
    }

    private JsonWritable search(SearchParams params) {
        return ripgrep.get()
                .flatMap(program -> program.candidates(params))
                .map(candidates -> FileOperations.search(params, candidates))
                .orElseGet(() -> FileOperations.run(params));
    }

    @Override
    public boolean mayBeCached(FileRequest request) {
        return FileOperations.mayBeCached(request);
    }

    @Override
    public Optional<JsonWritable> runCached(FileRequest request, DisclosurePolicy disclosure) {
        return FileOperations.runCached(request, disclosure);
    }

    @Override
    public RegularFile open(OpenParams params, DisclosurePolicy disclosure) {
        return FileOperations.open(params, disclosure);
    }
}
