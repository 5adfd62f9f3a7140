package dev.execserver.helper.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.fs.CanonicalizeParams;
import dev.execserver.protocol.fs.FileRequest;
import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.fs.MetadataParams;
import dev.execserver.protocol.fs.OpenMode;
import dev.execserver.protocol.fs.OpenParams;
import dev.execserver.protocol.fs.ReadDirectoryParams;
import dev.execserver.protocol.fs.ReadFileParams;
import dev.execserver.protocol.fs.WalkOptions;
import dev.execserver.protocol.fs.WalkParams;
import dev.execserver.protocol.fs.WalkResult;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that every reading request asks for the disclosure of the file that it has opened, by whatever path. */
class DisclosurePolicyTest {
    private static final WalkOptions OPTIONS = new WalkOptions(9, 100, 100, false, false);

    @TempDir
    private Path directory;

    private Path secretFile;
    private Path secretDirectory;
    private DisclosurePolicy disclosure;

    @BeforeEach
    void make() throws IOException {
        secretFile = Files.writeString(directory.resolve("file"), "secret");
        secretDirectory = Files.createDirectory(directory.resolve("directory"));
        Files.writeString(secretDirectory.resolve("name"), "");
        Files.createSymbolicLink(directory.resolve("link"), secretFile);
        FileStatus file = status(secretFile);
        FileStatus folder = status(secretDirectory);
        disclosure = opened -> !FileCalls.status(opened).sameFile(file)
                && !FileCalls.status(opened).sameFile(folder);
    }

    private static FileStatus status(Path path) {
        return FileCalls.status(path.toString().getBytes(), true);
    }

    private void refused(FileRequest request) {
        assertThat(FileOperations.runCached(request, disclosure)).isEmpty();
        assertThatThrownBy(() -> MessageEncoder.value(new MessageBuffer(), FileOperations.run(request, disclosure)))
                .as("%s", request)
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("Permission denied (os error 13)");
    }

    @Test
    void nothingOfAFileIsTold() {
        for (String name : List.of("file", "link")) {
            var path = Requests.uri(directory.resolve(name));
            refused(new ReadFileParams(path, true, Optional.empty()));
            refused(new MetadataParams(path, true, Optional.empty()));
            refused(new CanonicalizeParams(path, Optional.empty()));
            assertThatThrownBy(() ->
                            FileOperations.open(new OpenParams("h", path, OpenMode.READ, Optional.empty()), disclosure))
                    .hasMessageContaining("Permission denied (os error 13)");
        }
    }

    @Test
    void nothingOfADirectoryIsTold() {
        var path = Requests.uri(secretDirectory);
        refused(new ReadDirectoryParams(path, Optional.empty(), false, FsLimits.DIRECTORY_ENTRIES));
        refused(new MetadataParams(path, true, Optional.empty()));
        refused(new CanonicalizeParams(path, Optional.empty()));
        refused(new WalkParams(path, OPTIONS, Optional.empty()));
    }

    @Test
    void aWalkReportsWhereItWasNotLetIn() {
        WalkResult walk = (WalkResult)
                FileOperations.run(new WalkParams(Requests.uri(directory), OPTIONS, Optional.empty()), disclosure);

        assertThat(walk.entries()).extracting(entry -> entry.path().display()).noneMatch(path -> path.endsWith("name"));
        assertThat(walk.errors()).hasSize(1);
    }
}
