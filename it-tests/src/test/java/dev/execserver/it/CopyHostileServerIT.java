package dev.execserver.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.FakeExecServer;
import dev.execserver.it.support.FakeExecServer.Link;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.Program;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code exec-server cp} from servers that stop in the middle, or never stop. */
@Timeout(240)
class CopyHostileServerIT {
    private static final int BLOCK = 1 << 20;
    /** Longer than one block, so that it goes over HTTP. */
    private static final int SIZE = 3 * BLOCK;

    /** A transfer may stand still for the request timeout of a minute. */
    private static final long FALLS_BACK_SECONDS = 200;

    private static final long ENOUGH_BYTES = 64L << 20;

    @TempDir
    private Path directory;

    private Path token;

    @BeforeEach
    void makeToken() throws IOException {
        token = Files.writeString(directory.resolve("token"), "secret");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void c106_whatStandsStillOverHttpGoesOnOverTheWebSocket() throws Exception {
        try (FakeExecServer silent = FakeExecServer.saying(new OneFile(SIZE, false) {
                    @Override
                    void content(OutputStream out) {}
                });
                FakeExecServer stalled = FakeExecServer.saying(new OneFile(SIZE, false) {
                    @Override
                    void content(OutputStream out) throws IOException {
                        out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + SIZE + "\r\n\r\n").getBytes(ISO_8859_1));
                        out.write(Arrays.copyOf(block(0), 3));
                        out.flush();
                    }
                })) {
            Program.Running first = copy(silent, "first");
            Program.Running second = copy(stalled, "second");

            for (Program.Running running : new Program.Running[] {first, second}) {
                assertThat(running.process().waitFor(FALLS_BACK_SECONDS, TimeUnit.SECONDS))
                        .as(running.err())
                        .isTrue();
                assertThat(running.end()).isEqualTo(new Program(0, "", ""));
            }
            byte[] whole = new byte[SIZE];
            for (int i = 0; i < SIZE; i += BLOCK) {
                System.arraycopy(block(i), 0, whole, i, BLOCK);
            }
            for (String name : new String[] {"first", "second"}) {
                assertThat(Arrays.equals(Files.readAllBytes(directory.resolve(name)), whole))
                        .as(name)
                        .isTrue();
            }
        }
    }

    @Test
    void c107_aFileThatNeverEndsIsGivenUpALittleBehindItsAnnouncedSize() {
        OneFile overHttp = new OneFile(SIZE, true) {
            @Override
            void content(OutputStream out) throws IOException {
                out.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".getBytes(ISO_8859_1));
                while (true) {
                    out.write(block(0));
                    given.addAndGet(BLOCK);
                }
            }
        };
        OneFile overWebSocket = new OneFile(SIZE, true);
        for (OneFile script : new OneFile[] {overHttp, overWebSocket}) {
            try (FakeExecServer server = FakeExecServer.saying(script)) {
                Program program = copy(server, "endless").end();

                assertThat(program.status()).as(program.err()).isEqualTo(1);
                assertThat(program.err())
                        .hasLineCount(1)
                        .contains("it grows while it is copied: it had " + SIZE + " bytes, and more than ");
                assertThat(script.given.get()).isPositive().isLessThan(ENOUGH_BYTES);
                assertThat(directory.toFile().list((_, name) -> name.contains("endless") || name.startsWith(".exec")))
                        .isEmpty();
            }
        }
    }

    private Program.Running copy(FakeExecServer server, String to) {
        Program.Running running = Program.start(
                directory, "cp", "--url", server.url(), "--token-file", token.toString(), ":/f", directory + "/" + to);
        running.endInput();
        return running;
    }

    private static byte[] block(long offset) {
        byte[] block = new byte[BLOCK];
        for (int i = 0; i < BLOCK; i++) {
            block[i] = (byte) ((offset + i) % 251);
        }
        return block;
    }

    /** A server with one file; without {@link #content} it has no files over HTTP. */
    private static class OneFile implements FakeExecServer.Script {
        final AtomicLong given = new AtomicLong();
        private final int size;
        private final boolean endless;

        OneFile(int size, boolean endless) {
            this.size = size;
            this.endless = endless;
        }

        /** Answers {@code GET /files}; the connection stays open behind it. */
        void content(OutputStream out) throws IOException {
            out.write("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n".getBytes(ISO_8859_1));
            out.flush();
        }

        @Override
        public boolean http(String head, Socket connection) throws IOException {
            if (!head.startsWith("GET /files")) {
                return false;
            }
            content(connection.getOutputStream());
            long _ = connection.getInputStream().transferTo(OutputStream.nullOutputStream());
            return true;
        }

        @Override
        public void request(Link link, String method, JsonNode id, JsonNode params) throws IOException {
            switch (method) {
                case "initialize" -> link.result(id, FakeExecServer.greeting("s", "/files"));
                case "fs/getMetadata" ->
                    link.result(
                            id,
                            Json.object(
                                    "isDirectory",
                                    false,
                                    "isFile",
                                    true,
                                    "isSymlink",
                                    false,
                                    "size",
                                    size,
                                    "createdAtMs",
                                    1,
                                    "modifiedAtMs",
                                    1));
                case "fs/open" ->
                    link.result(
                            id, Json.object("handleId", params.path("handleId").textValue()));
                case "fs/readBlock" -> readBlock(link, id, params.path("offset").longValue());
                case "fs/close" -> link.result(id, Json.object());
                default -> link.error(id, -32601, method);
            }
        }

        private void readBlock(Link link, JsonNode id, long offset) throws IOException {
            byte[] whole = block(offset % (251L * BLOCK));
            int count = endless ? BLOCK : (int) Math.clamp(size - offset, 0, BLOCK);
            given.addAndGet(count);
            link.result(
                    id,
                    Json.object(
                            "chunk",
                            Json.base64(Arrays.copyOf(whole, count)),
                            "eof",
                            !endless && offset + count >= size));
        }
    }
}
