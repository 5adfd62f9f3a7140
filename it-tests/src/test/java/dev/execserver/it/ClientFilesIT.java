package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.client.ClientOptions;
import dev.execserver.client.ExecServerClient;
import dev.execserver.client.FileMethods;
import dev.execserver.client.error.RequestFailedException;
import dev.execserver.it.support.SharedServer;
import dev.execserver.protocol.fs.Expectation;
import dev.execserver.protocol.fs.MetadataParams;
import dev.execserver.protocol.fs.WalkOptions;
import dev.execserver.protocol.fs.WriteFileParams;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Base64Data;
import dev.execserver.protocol.rpc.EnvelopeDecoder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The typed file methods of the Java client against the real server. */
@Timeout(60)
class ClientFilesIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    @TempDir
    private Path directory;

    private ExecServerClient client;
    private FileMethods files;

    @BeforeEach
    void connect() throws InterruptedException {
        client = ExecServerClient.connect(
                ClientOptions.url("ws://127.0.0.1:" + SERVER.port()).build());
        files = client.files();
    }

    @AfterEach
    void close() {
        client.close();
    }

    private PathUri uri(String name) {
        return PathUri.ofNative(directory.resolve(name).toString());
    }

    @Test
    void aDirectoryOfMoreEntriesThanARequestMayHaveValuesIsListedWhole() throws Exception {
        Files.createDirectory(directory.resolve("many"));
        int entries = EnvelopeDecoder.MAX_VALUES / 4 + 1; // each is an object of three
        for (int i = 0; i < entries; i++) {
            Files.createFile(directory.resolve("many/" + i));
        }
        assertThat(files.list(uri("many"))).hasSize(entries);
    }

    @Test
    void filesAndTreesAreMadeLookedAtAndRemoved() throws Exception {
        files.createDirectory(uri("a/b"));
        files.writeFile(uri("a/b/f"), "content".getBytes(UTF_8));
        files.append(uri("a/b/f"), " more".getBytes(UTF_8));
        assertThat(files.readFile(uri("a/b/f"))).asString(UTF_8).isEqualTo("content more");
        assertThat(files.metadata(uri("a/b/f")).size()).isEqualTo(12);
        files.copy(uri("a"), uri("c"));
        files.rename(uri("c/b"), uri("c/d"), false);
        assertThat(files.list(uri("c"))).singleElement().satisfies(entry -> {
            assertThat(entry.fileName()).isEqualTo("d");
            assertThat(entry.isDirectory()).isTrue();
        });
        assertThat(files.walk(uri("c"), new WalkOptions(9, 9, 9, false, false)).entries())
                .extracting(entry -> entry.path().display())
                .containsExactly(directory + "/c/d", directory + "/c/d/f");
        assertThat(files.canonicalize(uri("c/../a/./b"))).isEqualTo(uri("a/b"));
        files.remove(uri("c"));
        files.remove(uri("c"));
        assertThat(directory.resolve("c")).doesNotExist();
        assertThatExceptionOfType(RequestFailedException.class)
                .isThrownBy(() -> files.readFile(uri("none")))
                .satisfies(e -> assertThat(e.code()).isEqualTo(-32004));
    }

    @Test
    void aConflictIsNamedAsTheReason() throws Exception {
        WriteFileParams onlyNew = new WriteFileParams(
                uri("f"),
                Base64Data.ofBytes(new byte[] {1}),
                true,
                Optional.empty(),
                true,
                Optional.of(new Expectation.Absent()));
        files.writeFile(onlyNew);
        assertThatExceptionOfType(RequestFailedException.class)
                .isThrownBy(() -> files.writeFile(onlyNew))
                .satisfies(e -> assertThat(e.reason()).contains("conflict"));
    }

    @Test
    void modesAreToldAndSet() throws Exception {
        files.writeFile(new WriteFileParams(uri("f"), Base64Data.ofBytes(new byte[] {1}), OptionalInt.of(0640)));
        assertThat(mode("f")).isEqualTo("rw-r-----");
        MetadataParams withMode = new MetadataParams(uri("f"), true, Optional.empty(), true);
        assertThat(files.getMetadata(withMode).mode()).hasValue(0640);
        assertThat(files.metadata(uri("f")).mode()).isEmpty();
        files.setMode(uri("f"), 0501);
        assertThat(mode("f")).isEqualTo("r-x-----x");
        WriteFileParams atomic = new WriteFileParams(
                uri("f"),
                Base64Data.ofBytes(new byte[] {2}),
                true,
                Optional.empty(),
                true,
                Optional.empty(),
                OptionalInt.of(0604));
        files.writeFile(atomic);
        assertThat(mode("f")).isEqualTo("rw----r--");
        files.createDirectory(uri("d"));
        files.setMode(uri("d"), 0700);
        assertThat(mode("d")).isEqualTo("rwx------");
        assertThatExceptionOfType(RequestFailedException.class)
                .isThrownBy(() -> files.setMode(PathUri.ofNative("/dev/null"), 0600))
                .satisfies(e -> assertThat(e.serverMessage()).contains("neither a file nor a directory"));
        assertThatExceptionOfType(RequestFailedException.class)
                .isThrownBy(() -> files.setMode(uri("f"), 010000))
                .satisfies(e -> assertThat(e.code()).isEqualTo(-32602));
        assertThatExceptionOfType(RequestFailedException.class)
                .isThrownBy(() -> files.setMode(uri("none"), 0600))
                .satisfies(e -> assertThat(e.code()).isEqualTo(-32004));
    }

    private String mode(String name) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(name)));
    }

    @Test
    void streamsCarryFilesOfAnySizeInBlocks() throws Exception {
        byte[] content = new byte[5_000_001];
        new Random(1).nextBytes(content);
        try (OutputStream out = files.openWrite(uri("big"))) {
            out.write(content, 0, 1_000_000);
            out.write(content[1_000_000]);
            out.write(content, 1_000_001, 4_000_000);
        }
        assertThat(Files.readAllBytes(directory.resolve("big"))).isEqualTo(content);
        try (InputStream in = files.openRead(uri("big"))) {
            assertThat(in.readAllBytes()).isEqualTo(content);
            assertThat(in.read()).isEqualTo(-1);
        }
        InputStream closed = files.openRead(uri("big"));
        closed.close();
        closed.close();
        assertThatExceptionOfType(IOException.class).isThrownBy(closed::read);
    }
}
