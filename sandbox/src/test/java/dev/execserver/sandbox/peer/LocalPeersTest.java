package dev.execserver.sandbox.peer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.linux.TcpCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class LocalPeersTest {
    private final LocalPeers peers = LocalPeers.ofThisProcess();

    @Test
    void thisMachineAnswersTheQuestion() {
        assertThat(peers.obstacle()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.2", "::1", "::ffff:127.0.0.1"})
    void aConnectionOfThisProcessIsRecognized(String address) throws IOException {
        InetAddress host = InetAddress.getByName(address);
        try (ServerSocket listener = new ServerSocket(0, 1, host);
                Socket _ = new Socket(host, listener.getLocalPort());
                Socket accepted = listener.accept()) {
            assertThat(originOf(accepted)).isEqualTo(new PeerOrigin.Unconfined(ProcessCalls.ownPid()));
        }
    }

    @Test
    void aServerIsNoClient() throws IOException {
        String client = "import socket, sys; open('/proc/self/comm', 'w').write('exec-server'); "
                + "s = socket.create_connection(('127.0.0.1', int(sys.argv[1]))); sys.stdin.read()";
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Process named =
                    new ProcessBuilder("python3", "-c", client, Integer.toString(listener.getLocalPort())).start();
            try (Socket accepted = listener.accept()) {
                assertThat(originOf(accepted)).isInstanceOf(PeerOrigin.Unexplained.class);
            } finally {
                named.destroyForcibly();
            }
        }
    }

    @Test
    void whatItsMakerHasClosedIsNotExplained() throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Socket gone = new Socket(InetAddress.getLoopbackAddress(), listener.getLocalPort());
            try (Socket accepted = listener.accept()) {
                gone.getOutputStream().write(1);
                gone.close();
                assertThat(originOf(accepted)).isInstanceOf(PeerOrigin.Unexplained.class);
            }
        }
    }

    @Test
    void anAddressOfThisMachineWithoutASocketIsNotExplained() {
        InetSocketAddress nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        assertThat(originOf(nobody, nobody)).isInstanceOf(PeerOrigin.Unexplained.class);
    }

    @Test
    void anotherMachineIsElsewhere() {
        InetSocketAddress remote = new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 4711);
        InetSocketAddress local = new InetSocketAddress(InetAddress.ofLiteral("192.0.2.2"), 80);
        assertThat(originOf(remote, local)).isEqualTo(new PeerOrigin.Elsewhere());
    }

    @Test
    void aListeningSocketIsNoConnection() {
        try (Fd listener = TcpCalls.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1)) {
            InetSocketAddress listening = TcpCalls.localAddress(listener.number());
            InetSocketAddress other = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
            assertThat(originOf(listening, other)).isInstanceOf(PeerOrigin.Unexplained.class);
        }
    }

    @Test
    void c54_aBurstIsExplainedAtOnce() throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
            List<Socket> open = new ArrayList<>();
            List<LocalPeers.Connection> connections = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                Socket client = new Socket(InetAddress.getLoopbackAddress(), listener.getLocalPort());
                Socket accepted = listener.accept();
                open.addAll(List.of(client, accepted));
                connections.add(connection(accepted));
                if (i % 2 == 1) {
                    client.close();
                }
            }
            Map<LocalPeers.Connection, PeerOrigin> origins = peers.of(connections);
            for (int i = 0; i < 100; i++) {
                assertThat(origins.get(connections.get(i)))
                        .isInstanceOf(i % 2 == 1 ? PeerOrigin.Unexplained.class : PeerOrigin.Unconfined.class);
            }
            for (Socket each : open) {
                each.close();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.2", "::1"})
    void c54_whatAServerConnectsForACommandIsToldByItsLabel(String address) throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getByName(address));
                Fd _ = Relays.connect((InetSocketAddress) listener.getLocalSocketAddress());
                Socket accepted = listener.accept()) {
            assertThat(originOf(accepted)).isEqualTo(new PeerOrigin.Relayed());
        }
    }

    private PeerOrigin originOf(Socket accepted) {
        LocalPeers.Connection connection = connection(accepted);
        return originOf(connection.peer(), connection.local());
    }

    private static LocalPeers.Connection connection(Socket accepted) {
        return new LocalPeers.Connection((InetSocketAddress) accepted.getRemoteSocketAddress(), (InetSocketAddress)
                accepted.getLocalSocketAddress());
    }

    private PeerOrigin originOf(InetSocketAddress peer, InetSocketAddress local) {
        LocalPeers.Connection connection = new LocalPeers.Connection(peer, local);
        return peers.of(List.of(connection)).get(connection);
    }
}
