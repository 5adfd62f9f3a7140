package dev.execserver.helper.fs;

import dev.execserver.protocol.fs.WriteFileParams;
import dev.execserver.protocol.rpc.Base64Data;
import dev.execserver.protocol.rpc.InvalidBase64Exception;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.Optional;

/** {@code fs/writeFile}: the content is decoded piece by piece, straight from the message into the file. Stateless. */
final class WriteFile {

    private WriteFile() {}

    static void write(WriteFileParams params) {
        if (params.expect().isPresent()) {
            ConditionalWrite.write(params);
            return;
        }
        byte[] path = Paths.of(params.path());
        check(params);
        if (params.atomic()) {
            ConditionalWrite.replace(path, params);
            return;
        }
        if (params.mode().isEmpty() && intoSink(path, params)) {
            return;
        }
        try (RegularFile file = RegularFile.replace(
                path, params.followSymlinks(), params.mode(), params.data().size())) {
            fill(file, params);
        }
    }

    /** As a shell's {@code >/dev/null}; false when the path leads to anything else, or nowhere. */
    private static boolean intoSink(byte[] path, WriteFileParams params) {
        Optional<Fd> sink = Opener.sink(path, params.followSymlinks());
        sink.ifPresent(fd -> {
            try (fd) {
                forEachPiece(params.data(), (bytes, offset, length) -> ContentCalls.append(fd, bytes, offset, length));
            } catch (LinuxException e) {
                throw FileErrors.of(e, params.path().display());
            }
        });
        return sink.isPresent();
    }

    /** Writes into a file that is ready for it. */
    static void fill(RegularFile file, WriteFileParams params) {
        try {
            // Without positions, which the settings below /proc and /sys do not take.
            forEachPiece(
                    params.data(), (bytes, offset, length) -> ContentCalls.append(file.fd(), bytes, offset, length));
        } catch (LinuxException e) {
            throw brokenOff(file, FileErrors.of(e, params.path().display()));
        }
        params.mode().ifPresent(file::complete);
    }

    /** What was there and was not overwritten yet goes: the file is the beginning of the new content, or as it was. */
    private static RpcException brokenOff(RegularFile file, RpcException error) {
        try {
            long written = ContentCalls.position(file.fd());
            if (written == 0 && file.currentStatus().size() == file.size()) {
                return error;
            }
            ContentCalls.truncate(file.fd(), written);
            return error.withData("written", written);
        } catch (LinuxException e) {
            return error; // the first one says more
        }
    }

    /** Before anything is touched: a request that cannot be decoded must leave the file as it is. */
    static void check(WriteFileParams params) {
        check(params.data(), "fs/writeFile", "dataBase64");
    }

    /** As above. */
    static void check(Base64Data data, String method, String member) {
        try {
            data.check();
        } catch (InvalidBase64Exception e) {
            throw RpcException.invalidRequest(method + " requires valid base64 " + member + ": " + e.getMessage());
        }
    }

    static void forEachPiece(Base64Data data, Base64Data.Sink sink) {
        try {
            data.forEachPiece(sink);
        } catch (InvalidBase64Exception e) {
            throw new IllegalStateException("checked before", e);
        }
    }
}
