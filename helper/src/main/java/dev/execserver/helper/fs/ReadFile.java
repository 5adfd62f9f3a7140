package dev.execserver.helper.fs;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.fs.ReadFileParams;
import dev.execserver.protocol.fs.ReadFileResult;
import dev.execserver.protocol.rpc.DirectWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.LinuxException;
import java.io.IOException;

/**
 * {@code fs/readFile}: a result that opens the file and reads it while it is being written, so that the content exists
 * only once, as Base64 in the message. Failures are thrown then.
 */
final class ReadFile implements DirectWritable {

    /** Bytes read at a time: a multiple of three, so that no padding falls inside. */
    private static final int STEP = 3 * 32 * 1024;

    private final ReadFileParams params;

    ReadFile(ReadFileParams params) {
        this.params = params;
    }

    @Override
    public void writeDirect(MessageBuffer out) {
        byte[] path = Paths.of(params.path());
        try (RegularFile file = Opener.forReading(path, params.followSymlinks())) {
            checkSize(file.size());
            out.expect((file.size() + 2) / 3 * 4 + 64);
            ReadFileResult.begin(out);
            copy(file, out);
            ReadFileResult.end(out);
        } catch (LinuxException e) {
            throw FileErrors.of(e, Paths.display(path));
        }
    }

    /** To the end of the file, wherever that is by now: it may grow and shrink, and files of /proc say that they are empty. */
    private static void copy(RegularFile file, MessageBuffer out) {
        byte[] step = new byte[(int) Math.min(STEP, (file.size() + 3) / 3 * 3)];
        long done = 0;
        if (file.size() == 0) {
            step = new byte[STEP];
        }
        while (true) {
            int count = file.read(step, 0, step.length, done);
            done += count;
            checkSize(done);
            out.base64(step, 0, count);
            if (count < step.length) {
                return;
            }
        }
    }

    private static void checkSize(long size) {
        if (size > FsLimits.READ_FILE_REFERENCE_BYTES) {
            throw RpcException.invalidRequest(
                    "file is too large to read: limit is " + FsLimits.READ_FILE_REFERENCE_BYTES + " bytes");
        }
        if (size > FsLimits.READ_FILE_BYTES) {
            throw RpcException.invalidRequest("file is too large for one message: limit is " + FsLimits.READ_FILE_BYTES
                    + " bytes, use fs/open and fs/readBlock");
        }
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        DirectWritable.copy(this, g);
    }
}
