package dev.execserver.helper.fs;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.fs.ReadFileParams;
import dev.execserver.protocol.fs.ReadFileResult;
import dev.execserver.protocol.rpc.Base64Data;
import dev.execserver.protocol.rpc.DirectWritable;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.io.IOException;
import java.util.Optional;

/**
 * Result of {@code fs/readFile}, which opens and reads the file while it is encoded. So the content exists only once:
 * as Base64 in the message, or as raw bytes when it is large. Errors are thrown during encoding.
 */
final class ReadFile implements DirectWritable {

    /** Bytes of one read: a multiple of three, so that no Base64 padding falls inside. */
    private static final int STEP = 3 * 32 * 1024;

    /**
     * Files of at least this size are converted to Base64 while the answer is sent. Smaller ones would not fill a huge
     * page.
     */
    private static final int LARGE_BYTES = 2 * 1024 * 1024;

    /** Largest file in bytes that is read without a file worker. */
    private static final int CACHED_BYTES = 64 * 1024;

    private static final int REAL_OPEN = FileCalls.O_RDONLY | FileCalls.O_NOCTTY;

    private final ReadFileParams params;
    private final DisclosurePolicy disclosure;

    ReadFile(ReadFileParams params, DisclosurePolicy disclosure) {
        this.params = params;
        this.disclosure = disclosure;
    }

    /**
     * Returns the content of a small file if the kernel has all of it in memory. Empty if the read would have to wait.
     * Virtual threads may call this.
     */
    static Optional<JsonWritable> readCached(ReadFileParams params, DisclosurePolicy disclosure) {
        byte[] path = Paths.of(params.path());
        long resolve = params.followSymlinks() ? FileCalls.RESOLVE_NO_MAGICLINKS : FileCalls.RESOLVE_NO_SYMLINKS;
        try {
            int size = smallSize(
                    params.maxBytes().orElse(Long.MAX_VALUE), FileCalls.cachedOpen(path, FileCalls.O_PATH, resolve));
            Optional<Fd> opened = size < 0 ? Optional.empty() : FileCalls.cachedOpen(path, REAL_OPEN, resolve);
            if (opened.isEmpty()) {
                return Optional.empty();
            }
            try (Fd file = opened.get()) {
                return content(file, disclosure, size);
            }
        } catch (LinuxException e) {
            return Optional.empty(); // the normal read reports the error
        }
    }

    /** Returns the size, or -1 when the file is large, empty, special or not on a block device. */
    private static int smallSize(long maxBytes, Optional<Fd> name) {
        if (name.isEmpty()) {
            return -1;
        }
        try (Fd fd = name.get()) {
            return FileCalls.cachedStatus(fd)
                    .filter(status -> status.regular()
                            && status.size() > 0
                            && status.size() <= Math.min(CACHED_BYTES, maxBytes < 0 ? Long.MAX_VALUE : maxBytes))
                    .map(status -> (int) status.size())
                    .orElse(-1);
        }
    }

    private static Optional<JsonWritable> content(Fd file, DisclosurePolicy disclosure, int size) {
        Optional<FileStatus> status = FileCalls.cachedStatus(file);
        if (status.isEmpty() || !status.get().regular() || status.get().size() != size) {
            return Optional.empty();
        }
        if (!disclosure.allows(file)) {
            return Optional.empty();
        }
        byte[] bytes = new byte[(int) status.get().size()];
        int count = ContentCalls.readCached(file, bytes);
        return count == bytes.length ? Optional.of(new ReadFileResult(Base64Data.ofBytes(bytes))) : Optional.empty();
    }

    @Override
    public void writeDirect(MessageBuffer out) {
        byte[] path = Paths.of(params.path());
        try (RegularFile file = Opener.forReading(path, params.followSymlinks(), disclosure)) {
            checkSize(file.size());
            if (file.size() < LARGE_BYTES) {
                out.expect(MessageBuffer.base64Length(file.size()) + ReadFileResult.SYNTAX_BYTES);
            }
            ReadFileResult.begin(out);
            if (file.size() < LARGE_BYTES) {
                copy(file, out);
            } else {
                // At most the size at the time of opening.
                int size = (int) file.size();
                out.content(size, () -> LoadedFile.read(file, size));
            }
            ReadFileResult.end(out);
        } catch (LinuxException e) {
            throw FileErrors.of(e, Paths.display(path));
        }
    }

    /** Copies to the current end of the file: it may grow and shrink meanwhile, and files of /proc report size 0. */
    private void copy(RegularFile file, MessageBuffer out) {
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

    private void checkSize(long size) {
        if (params.maxBytes().isPresent()
                && Long.compareUnsigned(size, params.maxBytes().getAsLong()) > 0) {
            throw RpcException.invalidRequest("`" + params.path().display() + "` has more than the "
                            + Long.toUnsignedString(params.maxBytes().getAsLong())
                            + " bytes that `maxBytes` allows; read it with fs/open and fs/readBlock, or ask for more")
                    .withData("reason", "tooLarge");
        }
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
