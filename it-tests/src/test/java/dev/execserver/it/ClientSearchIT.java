package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.client.ClientOptions;
import dev.execserver.client.ExecServerClient;
import dev.execserver.client.error.RequestFailedException;
import dev.execserver.client.files.FileWatch;
import dev.execserver.client.process.Outcome;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;
import dev.execserver.client.process.SandboxProfile;
import dev.execserver.it.support.SharedServer;
import dev.execserver.protocol.fs.ChangedNotification;
import dev.execserver.protocol.fs.SearchParams;
import dev.execserver.protocol.fs.SearchResult;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.SandboxContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Searches, watches, errors and sandboxes of the Java client against the real server. */
@Timeout(90)
class ClientSearchIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private ExecServerClient client;

    @BeforeEach
    void connect() throws InterruptedException {
        client = ExecServerClient.connect(
                ClientOptions.url("ws://127.0.0.1:" + SERVER.port()).build());
    }

    @AfterEach
    void close() {
        client.close();
    }

    private PathUri uri(String name) {
        return PathUri.ofNative(directory.resolve(name).toString());
    }

    @Test
    void aSearchFindsLines() throws Exception {
        Files.writeString(directory.resolve("a"), "one\ntwo needle\n");

        SearchResult found =
                client.files().search(new SearchParams(uri("."), "NEEDLE", false, false, 10, Optional.empty()));
        assertThat(found.matches()).singleElement().satisfies(match -> {
            assertThat(match.line()).isEqualTo(2);
            assertThat(match.column()).isEqualTo(5);
            assertThat(match.text()).isEqualTo("two needle");
            assertThat(match.path().toUri()).endsWith("/a");
        });
        assertThat(found.files()).isEqualTo(1);
        assertThat(found.truncated()).isFalse();
    }

    @Test
    void aWatchTellsWhatHappensUntilItIsClosed() throws Exception {
        FileWatch watch = client.files().watch(PathUri.ofNative(directory.toString()));
        Files.writeString(directory.resolve("new"), "x");

        ChangedNotification change = watch.next(LIMIT).orElseThrow();
        assertThat(change.changes().getFirst().path()).isEqualTo(uri("new"));
        assertThat(change.changes().getFirst().kind()).isEqualTo(ChangedNotification.Kind.CREATED);
        watch.close();
        assertThat(watch.ended()).isTrue();
    }

    @Test
    void aWatchEndsWithItsFile() throws Exception {
        Files.writeString(directory.resolve("f"), "x");
        try (FileWatch watch = client.files().watch(uri("f"))) {
            Files.delete(directory.resolve("f"));
            while (!watch.ended()) {
                assertThat(watch.next(LIMIT)).isPresent();
            }
        }
    }

    @Test
    void anErrorNamesTheCallAndThePath() {
        assertThatExceptionOfType(RequestFailedException.class)
                .isThrownBy(() -> client.files().readFile(uri("missing")))
                .withMessage("fs/readFile " + directory.resolve("missing")
                        + ": No such file or directory (os error 2) (-32004)")
                .satisfies(e -> {
                    assertThat(e.details().errno()).hasValue(2);
                    assertThat(e.details().path())
                            .contains(directory.resolve("missing").toString());
                });
    }

    @Test
    void aTypedProfileConfinesAProgramAndItsCopyWithoutASandboxIsFree() throws Exception {
        SandboxContext readOnly = SandboxProfile.readingEverything().in(PathUri.ofNative(directory.toString()));
        ProcessSpec spec = ProcessSpec.of("sh", "-c", "echo x > " + directory.resolve("f") + " || exit 9")
                .sandbox(readOnly);

        try (RemoteProcess confined = client.start(spec)) {
            confined.discardOutput();
            assertThat(confined.waitFor()).isInstanceOf(Outcome.SandboxDenied.class);
        }
        try (RemoteProcess free = client.start(spec.withoutSandbox())) {
            free.discardOutput();
            assertThat(free.waitFor()).isInstanceOf(Outcome.Exited.class);
            assertThat(free.exitCode()).hasValue(0);
        }
        assertThat(directory.resolve("f")).hasContent("x");
    }
}
