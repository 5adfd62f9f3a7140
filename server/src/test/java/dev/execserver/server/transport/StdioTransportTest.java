package dev.execserver.server.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.ReceivedMessage;
import dev.execserver.server.memory.MemoryBudget;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 20, unit = TimeUnit.SECONDS)
class StdioTransportTest {
    private static InputStream input(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> lines(String text) throws IOException {
        StdioTransport transport = start(input(text), OutputStream.nullOutputStream());
        List<String> lines = new ArrayList<>();
        Optional<ReceivedMessage> line = transport.read();
        while (line.isPresent()) {
            lines.add(new String(line.get().bytes(), StandardCharsets.UTF_8));
            line = transport.read();
        }
        return lines;
    }

    private static MessageBuffer message(String text) {
        MessageBuffer buffer = new MessageBuffer();
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        buffer.write(bytes, 0, bytes.length);
        return buffer;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                   | ''",
                "'{}\n'               | {}",
                "'{}'                 | {}",
                "'{}\r\n{}\r\n'       | {},{}",
                "'\n\n  \n\t\r\n{}\n\n' | {}",
                "'1\n2\n3'            | 1,2,3",
                "' {}\n'              | ' {}'"
            })
    void linesAreCutAndBlankOnesIgnored(String text, String expected) throws Exception {
        assertThat(String.join(",", lines(text.replace("\\n", "\n")))).isEqualTo(expected);
    }

    @Test
    void longAndManyLinesArriveWhole() throws Exception {
        String big = "x".repeat(3_000_000);
        String text = (big + "\n").repeat(3) + "small\n".repeat(50_000);
        List<String> lines = lines(text);
        assertThat(lines).hasSize(50_003);
        assertThat(lines.get(2)).isEqualTo(big);
        assertThat(lines.getLast()).isEqualTo("small");
    }

    @Test
    void aLineAboveTheLimitIsSkippedAndSaidInItsPlace() throws Exception {
        StdioTransport transport = start(input("fits\n" + "x".repeat(101) + "\nnext\n"), 100);
        assertThat(transport.read()).isPresent();
        assertThatThrownBy(transport::read)
                .isInstanceOf(MessageTooLargeException.class)
                .hasMessage("line is above the limit of 100 bytes");
        assertThat(transport.read().orElseThrow().bytes()).asString().isEqualTo("next");
        assertThat(transport.read()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {65_535, 65_536, 65_537, 200_000, 1_000_000})
    void aLongLineAboveTheLimitIsSkippedToItsEnd(int length) throws Exception {
        StdioTransport transport = start(input("y".repeat(length) + "\nnext\n" + "y".repeat(length)), 50_000);
        assertThatThrownBy(transport::read).isInstanceOf(MessageTooLargeException.class);
        assertThat(transport.read().orElseThrow().bytes()).asString().isEqualTo("next");
        assertThatThrownBy(transport::read).isInstanceOf(MessageTooLargeException.class);
        assertThat(transport.read()).isEmpty();
    }

    @Test
    void aLineOfExactlyTheLimitIsFine() throws Exception {
        assertThat(start(input("x".repeat(100) + "\n"), 100)
                        .read()
                        .orElseThrow()
                        .bytes())
                .hasSize(100);
        assertThat(start(input("x".repeat(200_000)), 200_000)
                        .read()
                        .orElseThrow()
                        .bytes())
                .hasSize(200_000);
    }

    @Test
    void aLineThatNeedsMoreThanTheServersMemoryIsSkippedAndTheMemoryGivenBack() throws Exception {
        MemoryBudget memory = new MemoryBudget(300_000, Duration.ofMillis(1));
        StdioTransport transport = StdioTransport.start(
                input("x".repeat(500_000) + "\n" + "y".repeat(250_000) + "\n"),
                OutputStream.nullOutputStream(),
                memory,
                1_000_000);
        assertThatThrownBy(transport::read)
                .isInstanceOf(MessageTooLargeException.class)
                .hasMessageContaining("--request-memory-bytes");
        assertThat(transport.read().orElseThrow().bytes()).hasSize(250_000);
        assertThat(transport.read()).isEmpty();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void answersAreLines() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        StdioTransport transport = start(input(""), out);
        transport.write(List.of(message("{\"a\":1}"), message("{\"b\":2}"), message("ignored")), 2);
        transport.write(message("[]"));
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("{\"a\":1}\n{\"b\":2}\n[]\n");
        assertThat(transport.describe()).isEqualTo("stdio");
    }

    @Test
    void closeWakesTheReader() throws Exception {
        PipedInputStream silent = new PipedInputStream(new PipedOutputStream());
        StdioTransport transport = start(silent, OutputStream.nullOutputStream());
        CompletableFuture<Optional<ReceivedMessage>> line = CompletableFuture.supplyAsync(() -> {
            try {
                return transport.read();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        transport.close(CloseReason.NORMAL);
        assertThat(line.get(5, TimeUnit.SECONDS)).isEmpty();
    }

    @Test
    void closeWakesAWriterWhosePipeIsFull() throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) {
                throw new AssertionError("single bytes are not written");
            }

            @Override
            public void write(byte[] bytes, int offset, int length) {
                writing.countDown();
                while (!Thread.currentThread().isInterrupted()) {
                    LockSupport.park();
                }
            }
        };
        StdioTransport transport = start(input(""), full);
        CompletableFuture<IOException> failure = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                transport.write(message("x"));
            } catch (IOException e) {
                failure.complete(e);
            }
        });
        assertThat(writing.await(5, TimeUnit.SECONDS)).isTrue();
        transport.close(CloseReason.NORMAL);
        assertThat(failure.get(5, TimeUnit.SECONDS)).hasMessage("stdio is closed");
        assertThatThrownBy(() -> transport.write(message("y"))).hasMessage("stdio is closed");
    }

    @Test
    void brokenPipeIsAnIoException() {
        OutputStream broken = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        StdioTransport transport = start(input(""), broken);
        assertThatThrownBy(() -> transport.write(message("x")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Broken pipe");
    }

    private static StdioTransport start(InputStream in, OutputStream out) {
        return StdioTransport.start(in, out, new MemoryBudget(1 << 30, Duration.ofSeconds(1)));
    }

    private static StdioTransport start(InputStream in, int maxLineBytes) {
        MemoryBudget memory = new MemoryBudget(1 << 30, Duration.ofSeconds(1));
        return StdioTransport.start(in, OutputStream.nullOutputStream(), memory, maxLineBytes);
    }
}
