package dev.execserver.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests many connections at once, and peers that do not read. */
@Timeout(120)
class DuplexRelayTest {

    private static final int CONNECTIONS = 500;

    private final ProxyScene scene = new ProxyScene();

    @AfterEach
    void end() throws Exception {
        scene.close();
    }

    private Socket tunnel(int port) throws IOException {
        Socket socket = scene.http();
        socket.getOutputStream().write(ProxyScene.bytes("CONNECT 127.0.0.1:" + port + " HTTP/1.1\r\nHost: x\r\n\r\n"));
        assertThat(ProxyScene.head(socket.getInputStream())).startsWith("HTTP/1.1 200");
        return socket;
    }

    @Test
    void fiveHundredConnectionsAtOnceAllGetTheirBytes() throws Exception {
        int port = scene.server((in, out) -> in.transferTo(out));
        CountDownLatch allOpen = new CountDownLatch(CONNECTIONS);
        CountDownLatch done = new CountDownLatch(CONNECTIONS);
        AtomicInteger good = new AtomicInteger();
        scene.proxy();
        for (int i = 0; i < CONNECTIONS; i++) {
            byte[] own = ProxyScene.bytes("connection " + i);
            Thread.ofVirtual().start(() -> {
                try (Socket socket = tunnel(port)) {
                    allOpen.countDown();
                    allOpen.await();
                    socket.getOutputStream().write(own);
                    if (java.util.Arrays.equals(own, socket.getInputStream().readNBytes(own.length))) {
                        good.incrementAndGet();
                    }
                } catch (IOException | InterruptedException e) {
                    // counts as bad
                } finally {
                    done.countDown();
                }
            });
        }
        assertThat(done.await(100, TimeUnit.SECONDS)).isTrue();
        assertThat(good).hasValue(CONNECTIONS);
    }

    @Test
    void aReceiverThatDoesNotReadHoldsItsSenderAndNobodyElse() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        int sink = scene.server((in, out) -> {
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            out.write(ProxyScene.bytes(Long.toString(in.transferTo(java.io.OutputStream.nullOutputStream()))));
        });
        int echo = scene.server((in, out) -> in.transferTo(out));
        int total = 64 << 20;
        AtomicInteger sent = new AtomicInteger();
        Socket slow = tunnel(sink);
        Thread sender = Thread.ofVirtual().start(() -> {
            byte[] piece = new byte[1 << 16];
            try {
                while (sent.get() < total) {
                    slow.getOutputStream().write(piece);
                    sent.addAndGet(piece.length);
                }
                slow.shutdownOutput();
            } catch (IOException e) {
                // the received data show it
            }
        });
        try (Socket quick = tunnel(echo)) {
            for (int i = 0; i < 100; i++) {
                quick.getOutputStream().write('x');
                assertThat(quick.getInputStream().read()).isEqualTo('x');
            }
        }
        assertThat(sent.get())
                .as("held by the kernel's buffers and one of ours")
                .isLessThan(total);
        release.countDown();
        assertThat(ProxyScene.text(slow.getInputStream().readAllBytes())).isEqualTo(Integer.toString(total));
        sender.join();
    }
}
