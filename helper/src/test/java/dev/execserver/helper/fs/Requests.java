package dev.execserver.helper.fs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.execserver.protocol.fs.CopyParams;
import dev.execserver.protocol.fs.FileRequest;
import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.fs.ReadDirectoryParams;
import dev.execserver.protocol.fs.ReadFileParams;
import dev.execserver.protocol.fs.ReadFileResult;
import dev.execserver.protocol.fs.RemoveParams;
import dev.execserver.protocol.fs.WalkOptions;
import dev.execserver.protocol.fs.WalkParams;
import dev.execserver.protocol.fs.WalkResult;
import dev.execserver.protocol.fs.WriteFileParams;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Base64Data;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.InvalidBase64Exception;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import java.nio.file.Path;
import java.util.Optional;

/** Runs file operations in one line. Results are encoded and read again, as by a client. */
final class Requests {

    private Requests() {}

    static JsonSlice run(FileRequest request) {
        JsonWritable result = FileOperations.run(request);
        MessageBuffer out = new MessageBuffer();
        MessageEncoder.value(out, result);
        return JsonSlice.of(out.array(), out.offset(), out.length());
    }

    static byte[] read(Path path) {
        try {
            return ReadFileResult.read(run(new ReadFileParams(uri(path), true, Optional.empty())), Dialect.OPEN)
                    .data()
                    .toByteArray();
        } catch (InvalidBase64Exception e) {
            throw new AssertionError(e);
        }
    }

    static void write(Path path, String content) {
        Base64Data data = Base64Data.ofBytes(content.getBytes(UTF_8));
        run(new WriteFileParams(uri(path), data));
    }

    static void remove(Path path) {
        run(new RemoveParams(uri(path), true, true, true, Optional.empty()));
    }

    static void copy(Path from, Path to) {
        run(new CopyParams(uri(from), uri(to), true, Optional.empty()));
    }

    static WalkResult walk(Path path, int maxEntries) {
        WalkOptions options = new WalkOptions(64, 10_000, maxEntries, false, false);
        return WalkResult.read(run(new WalkParams(uri(path), options, Optional.empty())), Dialect.OPEN);
    }

    static JsonSlice readDirectory(Path path) {
        return run(new ReadDirectoryParams(uri(path), Optional.empty(), true, FsLimits.DIRECTORY_ENTRIES));
    }

    static PathUri uri(Path path) {
        return PathUri.ofNative(path.toString());
    }
}
