package dev.execserver.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.net.DomainRule;
import dev.execserver.protocol.net.ProxyMode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the SOCKS5 side of a proxy, byte by byte. */
@Timeout(60)
class SocksProxyTest {

    private final ProxyScene scene = new ProxyScene();

    @AfterEach
    void end() throws Exception {
        scene.close();
    }

    private static byte[] request(int command, int type, byte[] address, int port) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {5, 1, 0, 5, (byte) command, 0, (byte) type});
        out.writeBytes(address);
        out.write(port >> 8);
        out.write(port);
        return out.toByteArray();
    }

    private static byte[] name(String host) {
        byte[] text = ProxyScene.bytes(host);
        byte[] all = new byte[text.length + 1];
        all[0] = (byte) text.length;
        System.arraycopy(text, 0, all, 1, text.length);
        return all;
    }

    /** Sends a request. Returns its reply code. */
    private int reply(Socket socket, byte[] request) throws IOException {
        socket.getOutputStream().write(request);
        assertThat(socket.getInputStream().readNBytes(2)).containsExactly(5, 0);
        byte[] answer = socket.getInputStream().readNBytes(10);
        assertThat(answer).hasSize(10);
        return answer[1];
    }

    private int reply(byte[] request) throws IOException {
        try (Socket socket = scene.socks()) {
            return reply(socket, request);
        }
    }

    @Test
    void addressesAndNamesAreConnectedToAndHalfCloseIsPassedOn() throws IOException {
        int port = scene.server((in, out) -> out.write(in.readAllBytes()));
        scene.domains = Map.of("127.0.0.1", DomainRule.ALLOW, "a.example", DomainRule.ALLOW);
        scene.names.put("a.example", List.of(InetAddress.ofLiteral("127.0.0.1")));
        byte[] mapped = new byte[16];
        mapped[10] = -1;
        mapped[11] = -1;
        mapped[12] = 127;
        mapped[15] = 1;
        for (byte[] request : List.of(
                request(1, 1, new byte[] {127, 0, 0, 1}, port),
                request(1, 3, name("A.example."), port),
                request(1, 4, mapped, port))) {
            try (Socket socket = scene.socks()) {
                assertThat(reply(socket, request)).isZero();
                socket.getOutputStream().write(ProxyScene.bytes("echo"));
                socket.shutdownOutput();
                assertThat(ProxyScene.text(socket.getInputStream().readAllBytes()))
                        .isEqualTo("echo");
            }
        }
        assertThat(scene.decisions).allSatisfy(decision -> {
            assertThat(decision.protocol().wire()).isEqualTo("socks5_tcp");
            assertThat(decision.method()).isEmpty();
        });
    }

    @Test
    void eachFailureHasItsReply() throws IOException {
        scene.domains = Map.of("127.0.0.1", DomainRule.ALLOW, "gone.example", DomainRule.ALLOW);
        assertThat(reply(request(1, 3, name("other.example"), 80)))
                .as("not allowed")
                .isEqualTo(2);
        assertThat(reply(request(1, 1, new byte[] {10, 0, 0, 1}, 80)))
                .as("private")
                .isEqualTo(2);
        assertThat(reply(request(1, 3, name("gone.example"), 80)))
                .as("no such name")
                .isEqualTo(4);
        assertThat(reply(request(1, 1, new byte[] {127, 0, 0, 1}, 1)))
                .as("refused")
                .isEqualTo(5);
        assertThat(reply(request(3, 1, new byte[] {127, 0, 0, 1}, 1))).as("UDP").isEqualTo(7);
        assertThat(reply(request(2, 1, new byte[] {127, 0, 0, 1}, 1)))
                .as("BIND")
                .isEqualTo(7);
        assertThat(reply(request(1, 3, name("a b"), 80))).as("no host").isEqualTo(8);
    }

    @Test
    void whoInsistsOnAPasswordIsTurnedAway() throws IOException {
        try (Socket socket = scene.socks()) {
            socket.getOutputStream().write(new byte[] {5, 1, 2});
            assertThat(socket.getInputStream().readAllBytes()).containsExactly(5, 0xff);
        }
        try (Socket socket = scene.socks()) {
            socket.getOutputStream().write(ProxyScene.bytes("GET / HTTP/1.1\r\n\r\n"));
            assertThat(socket.getInputStream().readAllBytes()).isEmpty();
        }
    }

    @Test
    void limitedModeHasNoTunnels() throws IOException {
        scene.mode = ProxyMode.LIMITED;
        assertThat(reply(request(1, 1, new byte[] {127, 0, 0, 1}, 80))).isEqualTo(2);
    }
}
