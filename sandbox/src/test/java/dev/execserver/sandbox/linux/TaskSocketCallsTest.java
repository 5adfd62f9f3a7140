package dev.execserver.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TaskSocketCallsTest {
    private static final int EISCONN = 106;
    private static final int UNIX = 1;
    private static final int INET = 2;
    private static final int INET6 = 10;
    private static final int STREAM = 1;
    private static final int DATAGRAM = 2;
    private static final int NON_BLOCKING = 04000;

    private static Fd socket(int family, int type) {
        return new Fd((int) Kernel.check(Kernel.call(Syscall.SOCKET, family, type, 0), Syscall.SOCKET, "test"));
    }

    private static Fd listening(int backlog) {
        return TcpCalls.listen(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), backlog);
    }

    @Test
    void kindsOfSocketsAreTold() throws IOException {
        try (Fd tcp = socket(INET, STREAM);
                Fd tcp6 = socket(INET6, STREAM | NON_BLOCKING);
                Fd udp = socket(INET, DATAGRAM);
                Fd unix = socket(UNIX, STREAM);
                Fd file = FileCalls.open("/dev/null".getBytes(), FileCalls.O_RDONLY, 0)) {
            assertThat(List.of(tcp, tcp6)).allMatch(TaskSocketCalls::isInternetStream);
            assertThat(List.of(udp, unix, file)).noneMatch(TaskSocketCalls::isInternetStream);
            assertThat(List.of(tcp, tcp6, udp, file)).noneMatch(TaskSocketCalls::isUnix);
            assertThat(TaskSocketCalls.isUnix(unix)).isTrue();
            assertThat(TaskSocketCalls.isInet6(tcp6)).isTrue();
            assertThat(TaskSocketCalls.nonBlocking(tcp6)).isTrue();
            assertThat(TaskSocketCalls.nonBlocking(tcp)).isFalse();
            assertThat(TaskSocketCalls.connected(tcp)).isFalse();
        }
    }

    @Test
    void bothFamiliesConnectToLoopbackFromThePortThatIsTold() {
        for (int family : List.of(INET, INET6)) {
            try (Fd server = listening(5);
                    Fd socket = socket(family, STREAM)) {
                OptionalInt port = TaskSocketCalls.bindLoopback(socket);
                assertThat(TaskSocketCalls.bindLoopback(socket)).isEqualTo(port);
                int serverPort = TcpCalls.localAddress(server.number()).getPort();
                assertThat(TaskSocketCalls.connectLoopback(socket, serverPort)).isZero();
                assertThat(TaskSocketCalls.connected(socket)).isTrue();
                assertThat(TcpCalls.localAddress(socket.number()).getPort()).isEqualTo(port.getAsInt());
                assertThat(TaskSocketCalls.connectLoopback(socket, serverPort)).isEqualTo(EISCONN);
            }
        }
    }

    @Test
    void anotherAddressCannotBeExchanged() {
        try (Fd socket = socket(INET6, STREAM)) {
            byte[] v6 = new byte[28];
            v6[0] = INET6;
            v6[23] = 1; // ::1, port 0
            try (Scratch scratch = Scratch.take()) {
                java.lang.foreign.MemorySegment.copy(
                        v6, 0, scratch.struct(), java.lang.foreign.ValueLayout.JAVA_BYTE, 0, v6.length);
                Kernel.check(
                        Kernel.call(
                                Syscall.BIND, socket.number(), scratch.struct().address(), v6.length),
                        Syscall.BIND,
                        socket.number());
            }
            OptionalInt port = TaskSocketCalls.bindLoopback(socket);
            try (Fd server = listening(5)) {
                int result = TaskSocketCalls.connectLoopback(
                        socket, TcpCalls.localAddress(server.number()).getPort());
                assertThat(port.isEmpty() || result != 0).isTrue();
            }
        }
    }

    @Test
    void aFullQueueHoldsTheCallForABoundedTime() {
        List<Fd> open = new ArrayList<>();
        try (Fd server = listening(0)) {
            int port = TcpCalls.localAddress(server.number()).getPort();
            int result = 0;
            for (int i = 0; i < 20 && result == 0; i++) {
                Fd socket = socket(INET, STREAM);
                open.add(socket);
                result = TaskSocketCalls.connectLoopback(socket, port);
            }
            assertThat(result).isEqualTo(Errno.EAGAIN);
        } finally {
            open.forEach(Fd::close);
        }
    }

    @Test
    void aSocketFileIsReachedWhateverItsNameLeadsTo(@TempDir Path folder) throws IOException {
        Path path = folder.resolve("s");
        try (ServerSocketChannel first = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                ServerSocketChannel second = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                Fd socket = socket(UNIX, STREAM)) {
            first.bind(UnixDomainSocketAddress.of(path));
            first.configureBlocking(false);
            second.configureBlocking(false);
            try (Fd file = FileCalls.open(path.toString().getBytes(), FileCalls.O_PATH, 0)) {
                Files.move(path, folder.resolve("moved"));
                second.bind(UnixDomainSocketAddress.of(path));
                assertThat(TaskSocketCalls.connectFile(socket, file)).isZero();
            }
            try (SocketChannel reached = first.accept()) {
                assertThat(reached).isNotNull();
            }
            assertThat(second.accept()).isNull();
        }
    }

    @Test
    void theAddressOfAProgramIsUsedAsItIs() {
        try (Fd server = listening(5);
                Fd socket = socket(INET, STREAM)) {
            int port = TcpCalls.localAddress(server.number()).getPort();
            byte[] address = {INET, 0, (byte) (port >> 8), (byte) port, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
            assertThat(TaskSocketCalls.connect(socket, new byte[] {INET, 0})).isEqualTo(Errno.EINVAL);
            assertThat(TaskSocketCalls.connect(socket, new byte[16])).isZero(); // AF_UNSPEC: nothing to leave
            assertThat(TaskSocketCalls.connect(socket, address)).isZero();
        }
    }
}
