package dev.execserver.helper.fs;

import dev.execserver.protocol.fs.WriteFileParams;
import dev.execserver.protocol.rpc.Base64Data;
import dev.execserver.protocol.rpc.InvalidBase64Exception;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.Optional;

/**
 * Runs {@code fs/writeFile}. The content is decoded piece by piece, straight from the message into the file. Stateless.
 */
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

    /**
     * Writes to a device such as {@code /dev/null}, like {@code >} in a shell. Returns false if the path leads to
     * anything else.
     */
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

    /** Writes into a file that is ready for the content. */
    static void fill(RegularFile file, WriteFileParams params) {
        try {
            // Writes without positions, because the settings below /proc and /sys do not support them.
            forEachPiece(
                    params.data(), (bytes, offset, length) -> ContentCalls.append(file.fd(), bytes, offset, length));
        } catch (LinuxException e) {
            throw brokenOff(file, FileErrors.of(e, params.path().display()));
        }
        params.mode().ifPresent(file::complete);
    }

    /**
     * Cuts the file after a failed write: it keeps the start of the new content, or is unchanged if nothing was
     * written.
     */
    private static RpcException brokenOff(RegularFile file, RpcException error) {
        try {
            long written = ContentCalls.position(file.fd());
            if (written == 0 && file.currentStatus().size() == file.size()) {
                return error;
            }
            ContentCalls.truncate(file.fd(), written);
            return error.withData("written", written);
        } catch (LinuxException e) {
            return error; // the first error says more
        }
    }

    /** Checks the Base64 before the file is touched, so that an invalid request leaves the file unchanged. */
    static void check(WriteFileParams params) {
        check(params.data(), "fs/writeFile", "dataBase64");
    }

    /** Does the same for another method. */
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
