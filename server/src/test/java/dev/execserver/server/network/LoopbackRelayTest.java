package dev.execserver.server.network;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.Buffers;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.linux.TcpCalls;
import dev.execserver.server.memory.DescriptorBudget;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the plain relay between a command and a proxy, without a sandbox around the command. */
@Timeout(60)
class LoopbackRelayTest {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

    /** More bytes than a buffer holds, and more than those after which pages are moved instead of copied. */
    private static final int MUCH = 9 << 20;

    private final Poller poller = new Poller();
    private final List<AutoCloseable> open = new ArrayList<>();
    private DescriptorBudget descriptors = DescriptorBudget.ofThisProcess();
    private Bridge bridge;

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        if (bridge != null) {
            bridge.close();
            await().atMost(Duration.ofSeconds(10)).until(() -> bridge.connections() == 0);
        }
        poller.close();
    }

    private interface Proxy {
        void talk(InputStream in, OutputStream out) throws IOException;
    }

    private InetSocketAddress proxy(Proxy proxy) throws IOException {
        ServerSocket listener = new ServerSocket(0, 50, LOOPBACK);
        open.add(listener);
        Thread.ofVirtual().start(() -> {
            while (true) {
                try {
                    Socket socket = listener.accept();
                    open.add(socket);
                    Thread.ofVirtual().start(() -> {
                        try (socket) {
                            proxy.talk(socket.getInputStream(), socket.getOutputStream());
                        } catch (IOException e) {
                            // The command's side checks this.
                        }
                    });
                } catch (IOException e) {
                    return;
                }
            }
        });
        return new InetSocketAddress(LOOPBACK, listener.getLocalPort());
    }

    /** Connects as a command to the proxies at these addresses. */
    private Socket connect(InetSocketAddress... addresses) throws IOException {
        AsyncFd listener = AsyncFd.pipe(poller, TcpCalls.listen(new InetSocketAddress(LOOPBACK, 0), 16));
        InetSocketAddress door = listener.use(TcpCalls::localAddress);
        LoopbackRelay relay = new LoopbackRelay(List.of(addresses), poller, new Buffers(4), descriptors);
        bridge = Bridge.open(List.of(new Bridge.BridgeListener(listener, relay)), poller, descriptors);
        Socket socket = new Socket(door.getAddress(), door.getPort());
        socket.setSoTimeout(30_000);
        open.add(socket);
        return socket;
    }

    private static InetSocketAddress nobody() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, LOOPBACK)) {
            return new InetSocketAddress(LOOPBACK, socket.getLocalPort());
        }
    }

    private static byte[] much(int seed) {
        byte[] bytes = new byte[MUCH];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @Test
    void muchGoesBothWaysAtOnceUnchanged() throws Exception {
        byte[] request = much(1);
        byte[] answer = much(2);
        AtomicInteger same = new AtomicInteger();
        Socket command = connect(proxy((in, out) -> {
            Thread writer = Thread.ofVirtual().start(() -> {
                try {
                    out.write(answer);
                } catch (IOException e) {
                    // The command's side checks this.
                }
            });
            same.set(Arrays.equals(in.readNBytes(MUCH), request) ? 1 : -1);
            try {
                writer.join();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }));
        Thread writer = Thread.ofVirtual().start(() -> {
            try {
                command.getOutputStream().write(request);
            } catch (IOException e) {
                // The proxy's side checks this.
            }
        });
        assertThat(command.getInputStream().readAllBytes()).isEqualTo(answer);
        writer.join();
        assertThat(same).hasValue(1);
    }

    @Test
    void eachDirectionEndsByItself() throws Exception {
        Socket command = connect(proxy((in, out) -> {
            byte[] whole = in.readAllBytes(); // up to the end of the command's output
            out.write(whole);
            out.write('.');
        }));
        command.getOutputStream().write("asked".getBytes(US_ASCII));
        command.shutdownOutput();
        assertThat(command.getInputStream().readAllBytes()).asString(US_ASCII).isEqualTo("asked.");
    }

    @Test
    void aProxyThatSaysNoMoreIsStillSpokenTo() throws Exception {
        ServerSocket listener = new ServerSocket(0, 1, LOOPBACK);
        open.add(listener);
        Socket command = connect(new InetSocketAddress(LOOPBACK, listener.getLocalPort()));
        try (Socket proxy = listener.accept()) {
            proxy.shutdownOutput();
            assertThat(command.getInputStream().read()).isEqualTo(-1);
            Thread writer = Thread.ofVirtual().start(() -> {
                try {
                    command.getOutputStream().write(much(3));
                    command.shutdownOutput();
                } catch (IOException e) {
                    // The proxy's side checks this.
                }
            });
            assertThat(proxy.getInputStream().readAllBytes()).isEqualTo(much(3));
            writer.join();
        }
    }

    @Test
    void theNextAddressIsTriedWhereNobodyListens() throws Exception {
        Socket command = connect(nobody(), proxy((in, out) -> out.write('2')));
        assertThat(command.getInputStream().readAllBytes()).asString(US_ASCII).isEqualTo("2");
    }

    @Test
    void withoutAProxyTheConnectionEndsWithoutAByte() throws Exception {
        assertThat(connect(nobody()).getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void withoutADescriptorToSpareTheConnectionEndsWithoutAByte() throws Exception {
        AtomicInteger used = new AtomicInteger();
        descriptors = new DescriptorBudget(DescriptorBudget.SMALLEST_LIMIT, used::get);
        InetSocketAddress proxy = proxy((in, out) -> out.write('x'));
        try (Socket command = connect(proxy)) {
            assertThat(command.getInputStream().read()).isEqualTo('x');
        }
        LoopbackRelay relay = new LoopbackRelay(List.of(proxy), poller, new Buffers(4), descriptors);
        used.set(DescriptorBudget.SMALLEST_LIMIT);
        try (ServerSocket door = new ServerSocket(0, 1, LOOPBACK);
                AsyncFd command =
                        AsyncFd.pipe(poller, TcpCalls.connect(new InetSocketAddress(LOOPBACK, door.getLocalPort())))) {
            relay.serve(new BridgedConnection(command)); // returns at once
        }
    }

    @Test
    void aProxyThatBreaksOffTakesTheConnectionOfTheCommandAlong() throws Exception {
        ServerSocket listener = new ServerSocket(0, 1, LOOPBACK);
        open.add(listener);
        Socket command = connect(new InetSocketAddress(LOOPBACK, listener.getLocalPort()));
        Socket proxy = listener.accept();
        command.getOutputStream().write('x');
        assertThat(proxy.getInputStream().read()).isEqualTo('x');
        proxy.setSoLinger(true, 0);
        proxy.close(); // resets the connection
        assertThat(ended(command)).isTrue();
        await().atMost(Duration.ofSeconds(10)).until(() -> bridge.connections() == 0);
    }

    private static boolean ended(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (IOException e) {
            return true; // the reset arrived
        }
    }

    @Test
    void aCommandThatBreaksOffTakesTheConnectionToTheProxyAlong() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        Socket command = connect(proxy((in, out) -> {
            out.write('x');
            try {
                in.readAllBytes();
            } finally {
                ended.countDown();
            }
        }));
        assertThat(command.getInputStream().read()).isEqualTo('x');
        command.setSoLinger(true, 0);
        command.close();
        ended.await();
        await().atMost(Duration.ofSeconds(10)).until(() -> bridge.connections() == 0);
    }

    @Test
    void whatWasSentBeforeTheEndOfTheCommandArrives() throws Exception {
        byte[] last = much(4);
        AtomicInteger same = new AtomicInteger();
        Socket command = connect(proxy((in, out) -> same.set(Arrays.equals(in.readAllBytes(), last) ? 1 : -1)));
        command.getOutputStream().write(last);
        command.close(); // as the kernel does when the command ends
        bridge.finish();
        await().atMost(Duration.ofSeconds(10)).untilAtomic(same, org.hamcrest.Matchers.is(1));
    }

    @Test
    void aReceiverThatDoesNotReadHoldsItsSender() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger received = new AtomicInteger();
        AtomicInteger sent = new AtomicInteger();
        int total = 64 << 20;
        Socket command = connect(proxy((in, out) -> {
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            received.set((int) in.transferTo(OutputStream.nullOutputStream()));
            out.write('.');
        }));
        Thread sender = Thread.ofVirtual().start(() -> {
            byte[] piece = new byte[1 << 16];
            try {
                while (sent.get() < total) {
                    command.getOutputStream().write(piece);
                    sent.addAndGet(piece.length);
                }
                command.shutdownOutput();
            } catch (IOException e) {
                // the received data show it
            }
        });
        AtomicInteger before = new AtomicInteger(-1);
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(200))
                .until(() -> before.getAndSet(sent.get()) == sent.get());
        assertThat(sent).as("held by buffers of the kernel").hasValueLessThan(total);
        release.countDown();
        assertThat(command.getInputStream().read()).isEqualTo('.');
        sender.join();
        assertThat(received).hasValue(total);
    }
}
