package dev.execserver.it.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.client.ClientOptions;
import dev.execserver.client.ExecServerClient;
import dev.execserver.client.FileTrees;
import dev.execserver.client.error.ConnectFailedException;
import dev.execserver.client.process.Outcome;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;
import dev.execserver.it.support.ForwardProxy;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.VarTmp;
import dev.execserver.protocol.paths.PathUri;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Conveniences of the Java client against the packaged server. */
@Timeout(120)
class JavaClientIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    @TempDir(factory = VarTmp.class)
    private Path directory;

    private static ExecServerClient connect() throws InterruptedException {
        return ExecServerClient.connect(
                ClientOptions.url("ws://127.0.0.1:" + SERVER.port()).build());
    }

    @Test
    void aFutureAndTextsAndOneVariable() throws Exception {
        ProcessSpec spec = ProcessSpec.of("sh", "-c", "echo \"$WORD\"; echo bad >&2; exit 5")
                .env("WORD", "gr\u00fcn");
        try (ExecServerClient client = connect();
                RemoteProcess process = client.start(spec)) {
            assertThat(process.stdoutAsText()).isEqualTo("gr\u00fcn\n");
            assertThat(process.stderrAsText()).isEqualTo("bad\n");
            assertThat(process.onExit().get(30, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            Outcome.Exited.class,
                            exited -> assertThat(exited.exitCode()).isEqualTo(5));
        }
    }

    @Test
    void aProcessOfTheJdkRunsAndEnds() throws Exception {
        try (ExecServerClient client = connect();
                RemoteProcess cat = client.start(ProcessSpec.of("cat").stdin());
                RemoteProcess sleep = client.start(ProcessSpec.of("sleep", "300"))) {
            Process process = cat.asProcess();
            try (var in = process.outputWriter()) {
                in.write("line\n");
            }
            assertThat(process.inputReader().readLine()).isEqualTo("line");
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();

            sleep.asProcess().destroy();
            assertThat(sleep.asProcess().waitFor()).isEqualTo(143);
        }
    }

    @Test
    void stderrIsInTheOutputIfAskedFor() throws Exception {
        ProcessSpec spec = ProcessSpec.of("sh", "-c", "echo bad >&2").redirectErrorStream();
        try (ExecServerClient client = connect();
                RemoteProcess process = client.start(spec)) {
            assertThat(process.stdoutAsText()).isEqualTo("bad\n");
        }
    }

    @Test
    void aTreeGoesThereAndBackWithItsModes() throws Exception {
        Path source = Files.createDirectories(directory.resolve("from/deep/empty"))
                .getParent()
                .getParent();
        Files.writeString(source.resolve("a b%"), "first");
        Files.write(source.resolve("deep/large"), new byte[3 << 20]);
        assertThat(source.resolve("deep/large").toFile().setExecutable(true)).isTrue();
        Files.createSymbolicLink(source.resolve("link"), Path.of("/etc/passwd"));
        PathUri remote = PathUri.ofNative(directory.resolve("remote").toString());
        Path back = directory.resolve("back");

        try (ExecServerClient client = connect()) {
            FileTrees.Copied up = client.trees().upload(source, remote);
            FileTrees.Copied down = client.trees().download(remote, back);

            assertThat(up).isEqualTo(new FileTrees.Copied(2, 3, 5 + (3 << 20), List.of("link")));
            assertThat(down).isEqualTo(new FileTrees.Copied(2, 3, 5 + (3 << 20), List.of()));
        }
        assertThat(back.resolve("a b%")).hasContent("first");
        assertThat(back.resolve("deep/large")).isExecutable().hasSize(3 << 20);
        assertThat(back.resolve("deep/empty")).isEmptyDirectory();
        assertThat(back.resolve("link")).doesNotExist();
    }

    @Test
    void linksOfTheServerAreNotFollowed() throws Exception {
        Path source = Files.createDirectories(directory.resolve("linked"));
        Files.writeString(source.resolve("file"), "content");
        Files.createSymbolicLink(source.resolve("self"), Path.of("."));
        Files.createSymbolicLink(source.resolve("out"), Path.of("/etc/hostname"));
        Path back = directory.resolve("back");

        try (ExecServerClient client = connect()) {
            FileTrees.Copied down = client.trees().download(PathUri.ofNative(source.toString()), back);
            assertThat(down.files()).isEqualTo(1);
            assertThat(down.skipped()).containsExactlyInAnyOrder("self", "out");
        }
        assertThat(back.resolve("out")).doesNotExist();
    }

    @Test
    void nothingIsDownloadedThroughALink() throws Exception {
        Path source = Files.createDirectories(directory.resolve("from/dir"));
        Files.writeString(source.resolve("file"), "new");
        Path outside = Files.createDirectories(directory.resolve("outside"));
        Files.writeString(outside.resolve("file"), "kept");
        Path target = Files.createDirectories(directory.resolve("to"));
        Files.createSymbolicLink(target.resolve("dir"), outside);
        PathUri remote = PathUri.ofNative(source.getParent().toString());

        try (ExecServerClient client = connect()) {
            assertThatThrownBy(() -> client.trees().download(remote, target))
                    .hasMessageContaining("is a link; nothing is downloaded through it");
        }
        assertThat(outside.resolve("file")).hasContent("kept");
    }

    @Test
    void aProxyLeadsToTheServer() throws Exception {
        try (ForwardProxy proxy = ForwardProxy.on("127.0.0.1")) {
            // The name exists for the proxy alone.
            ClientOptions options = ClientOptions.url("ws://server.invalid:" + SERVER.port())
                    .proxy(proxy.url())
                    .build();
            assertThatThrownBy(() -> ExecServerClient.connect(options))
                    .as("the server refuses the name in the Host header")
                    .isInstanceOf(ConnectFailedException.class)
                    .hasMessageContaining("server.invalid");
            ClientOptions known = ClientOptions.url("ws://localhost:" + SERVER.port())
                    .proxy(proxy.url())
                    .build();
            try (ExecServerClient client = ExecServerClient.connect(known)) {
                assertThat(client.run("echo", "through").stdout()).isEqualTo("through\n");
            }
            assertThat(proxy.requests())
                    .containsExactly("CONNECT server.invalid:" + SERVER.port(), "CONNECT localhost:" + SERVER.port());
        }
    }
}
