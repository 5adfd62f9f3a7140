package dev.execserver.server.files;

import dev.execserver.helper.fs.FileOperations;
import dev.execserver.helper.fs.RegularFile;
import dev.execserver.protocol.fs.FileRequest;
import dev.execserver.protocol.fs.OpenParams;
import dev.execserver.protocol.rpc.JsonWritable;
import java.util.Optional;

/** File operations in this process, with everything that the server itself may do. Stateless. */
final class InProcessFiles implements FileService {

    @Override
    public JsonWritable run(FileRequest request) {
        return FileOperations.run(request);
    }

    @Override
    public Optional<JsonWritable> runCached(FileRequest request) {
        return FileOperations.runCached(request);
    }

    @Override
    public RegularFile open(OpenParams params) {
        return FileOperations.open(params);
    }
}
