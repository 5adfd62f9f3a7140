package dev.execserver.it.clients;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Very many wrong credentials from many addresses: they cost no memory that stays, and keep nobody out. */
@Timeout(300)
class FailedLoginsIT {
    private static final int ADDRESSES = 200;
    private static final int AT_ONCE = 5;
    private static final int LOGINS = 10_000;

    /**
     * What the server may grow by in the second half: its heap has not its full size yet. A login that left 32 KiB behind would
     * exceed this.
     */
    private static final long GROWTH_KIB = 160 * 1024;

    private static final int TIMEOUT_MS = 60_000;

    @TempDir(factory = VarTmp.class)
    private Path directory;

    private final AtomicInteger attempts = new AtomicInteger();
    private final AtomicInteger admitted = new AtomicInteger();

    @Test
    void tenThousandWrongTokensFromTwoHundredAddressesLeaveAGoodClientServed() throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "secret");
        try (ServerProcess server =
                ServerProcess.listening("--ws-auth", "capability-token", "--ws-token-file", token.toString())) {
            attack(server.port(), LOGINS / 2);
            long before = residentKib(server.pid());
            Thread attack = Thread.ofPlatform().name("attack").start(() -> attack(server.port(), LOGINS / 2));
            int served = 0;
            do {
                serve(server.port());
                served++;
            } while (attack.isAlive());
            attack.join();
            serve(server.port());

            assertThat(served).isPositive();
            assertThat(attempts).hasValue(LOGINS);
            assertThat(admitted).hasValue(0);
            assertThat(residentKib(server.pid()) - before).isLessThan(GROWTH_KIB);
        }
    }

    private static void serve(int port) {
        try (WireClient good = WireClient.connect(port, Map.of("Authorization", "Bearer secret"))) {
            good.handshake();
            RemoteProcess process = good.start(Start.of("echo", "served"));
            process.closed();
            assertThat(process.text()).isEqualTo("served\n");
        }
    }

    private void attack(int port, int logins) {
        int each = logins / ADDRESSES / AT_ONCE;
        try (ExecutorService attackers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < ADDRESSES * AT_ONCE; i++) {
                byte[] address = {127, 0, 1, (byte) (1 + i % ADDRESSES)};
                attackers.submit(() -> {
                    for (int n = 0; n < each; n++) {
                        login(address, port);
                    }
                });
            }
        }
    }

    private void login(byte[] address, int port) {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(TIMEOUT_MS);
            socket.bind(new InetSocketAddress(InetAddress.getByAddress(address), 0));
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MS);
            socket.getOutputStream()
                    .write(("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n"
                                    + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer wrong\r\n\r\n")
                            .getBytes(US_ASCII));
            String answer = new String(socket.getInputStream().readNBytes(12), US_ASCII);
            if (answer.equals("HTTP/1.1 101")) {
                admitted.incrementAndGet();
            }
        } catch (IOException e) {
            // dropped while it waited for its refusal, because others needed the place
        }
        attempts.incrementAndGet();
    }

    private static long residentKib(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElseThrow();
    }
}
