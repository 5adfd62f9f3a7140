package dev.execserver.client;

import static dev.execserver.client.Clients.connect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.client.error.RequestFailedException;
import dev.execserver.client.error.UnexpectedAnswerException;
import dev.execserver.client.testing.Era;
import dev.execserver.client.testing.FakeServer;
import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.fs.FsMethodNames;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Files as streams, with several blocks in flight. */
@Timeout(60)
class FileStreamsTest {
    private static final String NAME = "/f";
    private static final PathUri PATH = PathUri.ofNative(NAME);
    private static final int BLOCK = FsLimits.BLOCK_BYTES;
    private static final RpcException FULL = RpcException.internal("No space left on device (os error 28)");

    private final FakeServer server = new FakeServer(Era.OURS);
    private ExecServerClient client;

    @BeforeEach
    void start() throws InterruptedException {
        client = connect(server);
    }

    @AfterEach
    void close() {
        client.close();
    }

    private static byte[] content(int length) {
        byte[] content = new byte[length];
        new Random(3).nextBytes(content);
        return content;
    }

    private long requests(String method) {
        return server.log().stream()
                .filter(line -> line.startsWith(method + " "))
                .count();
    }

    @Test
    void whatIsWrittenInPiecesOfAnySizeIsReadAgain() throws Exception {
        byte[] content = content(20 * BLOCK + 5);
        try (OutputStream out = client.files().openWrite(PATH)) {
            int piece = 1;
            for (int done = 0; done < content.length; piece = piece * 3 + 1) {
                int count = Math.min(piece, content.length - done);
                out.write(content, done, count);
                done += count;
            }
        }
        assertThat(Arrays.equals(server.file(NAME), content)).isTrue();
        try (InputStream in = client.files().openRead(PATH, 7)) {
            assertThat(Arrays.equals(in.readAllBytes(), Arrays.copyOfRange(content, 7, content.length)))
                    .isTrue();
        }
    }

    @Test
    void theFailureOfAnEarlyBlockFailsTheStreamAndNothingIsWrittenBehindIt() throws Exception {
        AtomicInteger written = new AtomicInteger();
        OutputStream out = client.files().openWrite(PATH);
        server.failNext(FsMethodNames.WRITE_BLOCK, FULL);

        assertThatThrownBy(() -> {
                    while (written.get() < 100) {
                        out.write(content(BLOCK));
                        written.incrementAndGet();
                    }
                })
                .isInstanceOf(IOException.class)
                .hasCauseInstanceOf(RequestFailedException.class)
                .hasMessageContaining("No space left");
        assertThat(written.get()).isLessThanOrEqualTo(FileMethods.BLOCKS_IN_FLIGHT);
        long sent = requests(FsMethodNames.WRITE_BLOCK);

        assertThatThrownBy(() -> out.write(content(BLOCK))).hasMessage("an earlier write to the stream has failed");
        out.close();
        assertThat(requests(FsMethodNames.WRITE_BLOCK)).isEqualTo(sent);
        assertThat(requests(FsMethodNames.CLOSE)).isEqualTo(1);
    }

    @Test
    void theFailureOfTheLastBlocksIsToldWhenTheStreamIsClosed() throws Exception {
        OutputStream out = client.files().openWrite(PATH);
        server.failNext(FsMethodNames.WRITE_BLOCK, FULL);
        out.write(content(3 * BLOCK + 1));

        assertThatThrownBy(out::close).hasMessageContaining("No space left");
        out.close();
        assertThat(requests(FsMethodNames.CLOSE)).isEqualTo(1);
    }

    @Test
    void aLostConnectionEndsAStreamThatIsWritten() throws Exception {
        OutputStream out = client.files().openWrite(PATH);
        server.mute(true);
        out.write(content(3 * BLOCK));
        server.cutFor(() -> server.mute(false));

        assertThatThrownBy(out::close).hasCauseInstanceOf(ConnectionLostException.class);
    }

    @Test
    void aReadThatFailedMayBeTriedAgainAndSkipsNothing() throws Exception {
        byte[] content = content(6 * BLOCK);
        server.file(NAME, content);
        try (InputStream in = client.files().openRead(PATH)) {
            byte[] first = in.readNBytes(2 * BLOCK);
            server.failNext(FsMethodNames.READ_BLOCK, RpcException.internal("Input/output error (os error 5)"));
            byte[] second = readWithFailure(in);

            assertThat(Arrays.equals(first, Arrays.copyOf(content, first.length)))
                    .isTrue();
            assertThat(Arrays.equals(second, Arrays.copyOfRange(content, first.length, content.length)))
                    .isTrue();
        }
    }

    @Test
    void c105_anAnswerIsAsLongAsItMayBeAndNotLonger() throws Exception {
        server.file(NAME, content(5));
        server.padNext(FsMethodNames.READ_BLOCK, BlockInput.MAX_ANSWER_BYTES);
        try (InputStream in = client.files().openRead(PATH)) {
            assertThat(in.readAllBytes()).isEqualTo(content(5));
        }

        server.padNext(FsMethodNames.READ_BLOCK, BlockInput.MAX_ANSWER_BYTES + 1);
        try (InputStream in = client.files().openRead(PATH)) {
            assertThatThrownBy(in::read)
                    .isInstanceOf(IOException.class)
                    .hasCauseInstanceOf(UnexpectedAnswerException.class)
                    .hasMessageContaining("it has 2097153 bytes, and 2097152 are the most");
        }
    }

    /** Reads the rest of the stream, although one read in between fails. */
    private static byte[] readWithFailure(InputStream in) throws IOException {
        byte[] rest = new byte[6 * BLOCK];
        int done = 0;
        int failures = 0;
        while (true) {
            try {
                int count = in.read(rest, done, rest.length - done);
                if (count < 0) {
                    break;
                }
                done += count;
            } catch (IOException e) {
                failures++;
                assertThat(e).hasMessageContaining("Input/output error");
            }
        }
        assertThat(failures).isEqualTo(1);
        return Arrays.copyOf(rest, done);
    }
}
