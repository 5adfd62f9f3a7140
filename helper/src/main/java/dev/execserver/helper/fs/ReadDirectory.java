package dev.execserver.helper.fs;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.fs.DirectoryEntry;
import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.fs.ReadDirectoryParams;
import dev.execserver.protocol.fs.ReadDirectoryResult;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.DirectWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.DirectoryCalls.Entry;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Result of {@code fs/readDirectory}, which reads the directory while it is encoded. So a million entries exist only
 * once, as JSON in the message. Errors are thrown during encoding.
 */
final class ReadDirectory implements DirectWritable {

    private final ReadDirectoryParams params;
    private final DisclosurePolicy disclosure;

    ReadDirectory(ReadDirectoryParams params, DisclosurePolicy disclosure) {
        this.params = params;
        this.disclosure = disclosure;
    }

    @Override
    public void writeDirect(MessageBuffer out) {
        byte[] path = Paths.of(params.path());
        try (Fd directory = Opener.open(path, FileCalls.O_RDONLY | FileCalls.O_DIRECTORY, 0, true)) {
            disclosure.require(directory, path);
            ReadDirectoryResult.begin(out);
            long count = 0;
            List<Entry> entries;
            while (!(entries = DirectoryCalls.entries(directory)).isEmpty()) {
                for (Entry entry : entries) {
                    if (count > 0) {
                        out.write(',');
                    }
                    count = counted(count, path);
                    describe(directory, path, entry).writeDirect(out);
                }
                checkSize(out);
            }
            ReadDirectoryResult.end(out);
        } catch (LinuxException e) {
            throw FileErrors.of(e, Paths.display(path));
        }
    }

    private long counted(long before, byte[] path) {
        if (before >= params.maxEntries()) {
            throw RpcException.internal("directory " + Paths.display(path) + " has more than " + params.maxEntries()
                    + " entries (maxEntries), list it with a program instead");
        }
        return before + 1;
    }

    private static void checkSize(MessageBuffer out) {
        if (out.length() > FsLimits.ANSWER_BYTES) {
            throw RpcException.invalidRequest("directory is too large for one message: limit is "
                    + FsLimits.ANSWER_BYTES + " bytes, list it with a program instead");
        }
    }

    private DirectoryEntry describe(Fd directory, byte[] path, Entry entry) {
        boolean isDirectory = entry.directory();
        boolean isFile = entry.regular();
        if (entry.symbolicLink() || entry.unknown()) {
            Optional<FileStatus> target = target(directory, entry.name());
            isDirectory = target.map(FileStatus::directory).orElse(false);
            isFile = target.map(FileStatus::regular).orElse(false);
        }
        String name = new String(entry.name(), StandardCharsets.UTF_8);
        boolean exact =
                name.indexOf('\uFFFD') < 0 || Arrays.equals(name.getBytes(StandardCharsets.UTF_8), entry.name());
        Optional<PathUri> uri = exact || !params.entryPaths()
                ? Optional.empty()
                : Optional.of(PathUri.ofNative(Paths.join(path, entry.name())));
        return new DirectoryEntry(name, isDirectory, isFile, uri);
    }

    /**
     * Returns the status of the target of a link. Empty for a broken or circular link and for one whose target may not
     * be seen.
     */
    private static Optional<FileStatus> target(Fd directory, byte[] name) {
        try {
            return Optional.of(FileCalls.statusAt(directory, name, true));
        } catch (LinuxException e) {
            return Optional.empty();
        }
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        DirectWritable.copy(this, g);
    }
}
