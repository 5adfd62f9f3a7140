package dev.execserver.sandbox.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.Drain;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.LocalSockets;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.linux.TcpCalls;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ProcessMark;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.spawn.Stdio;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Uses real namespaces: unshare(1) makes them, and perl(1) connects from inside. */
@Timeout(60)
class NamespaceSocketsTest {
    private static final String CLIENT = "/usr/bin/perl -MIO::Socket::INET -e '"
            + "my $s = IO::Socket::INET->new(PeerAddr => \"127.0.0.1\", PeerPort => $ARGV[0]) or die \"$!\\n\";"
            + "print $s \"hello\\n\"; print scalar <$s>' ";

    private final Poller poller = new Poller();
    private final Spawner spawner = new Spawner(poller);
    private final NamespaceSockets sockets = new NamespaceSockets(spawner, poller);

    @AfterEach
    void close() {
        spawner.close();
        poller.close();
    }

    /** Starts a shell in a separate network; it waits for a line before it runs the script. */
    private Child isolated(String script) {
        Child child = spawner.spawn(new SpawnRequest(
                "/usr/bin/unshare",
                List.of("unshare", "-U", "-r", "-n", "/bin/sh", "-c", "echo ready; read go; " + script),
                List.of("PATH=/usr/sbin:/usr/bin:/sbin:/bin"),
                "/",
                new Stdio.Pipes(true),
                ProcessMark.NONE));
        assertThat(child.stdout().awaitReadable(Duration.ofSeconds(30).toNanos()))
                .isTrue();
        assertThat(Drain.available(child.stdout(), 100)).isEqualTo("ready\n");
        return child;
    }

    private static void go(Child child) {
        child.stdin().orElseThrow().use(fd -> {
            dev.execserver.sandbox.linux.FileCalls.writeByte(fd);
            return true;
        });
        child.stdin().orElseThrow().close();
    }

    @Test
    void aSocketForQuestionsKnowsWhatListensInsideAndNothingOfThisMachine() throws IOException {
        Child child = isolated("ip link set lo up; exec /usr/bin/perl -MIO::Socket::INET -e '"
                + "$| = 1; my $all = IO::Socket::INET->new(LocalPort => 7001, Listen => 1) or die;"
                + "my $one = IO::Socket::INET->new(LocalAddr => \"127.0.0.2\", LocalPort => 7002, Listen => 1) or die;"
                + "print \"listening\\n\"; sleep 60'");
        List<AsyncFd> made = sockets.open(child.pid(), new InnerSockets(List.of(61001), Optional.of(List.of()), true));
        assertThat(made).hasSize(3);
        go(child);
        assertThat(child.stdout().awaitReadable(Duration.ofSeconds(30).toNanos()))
                .isTrue();
        try (AsyncFd questions = made.getLast();
                ServerSocket outside = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            assertThat(List.of("127.0.0.1:61001", "127.0.0.1:7001", "127.9.9.9:7001", "127.0.0.2:7002"))
                    .allMatch(address -> listens(questions, address));
            assertThat(List.of("127.0.0.1:7002", "127.0.0.1:7003", "127.0.0.1:" + outside.getLocalPort()))
                    .noneMatch(address -> listens(questions, address));
        } finally {
            made.forEach(AsyncFd::close);
            child.signal(ProcessCalls.SIGKILL);
        }
    }

    private static boolean listens(AsyncFd questions, String address) {
        String[] parts = address.split(":");
        InetSocketAddress asked = new InetSocketAddress(InetAddress.ofLiteral(parts[0]), Integer.parseInt(parts[1]));
        return questions.use(fd -> LocalSockets.listening(fd, asked));
    }

    @Test
    void aSocketInsideIsAcceptedOutsideAlsoWhenTheInterfaceWasDownBefore() {
        Child child = isolated("ip link set lo up; " + CLIENT + "61001");
        AsyncFd listener = sockets.listen(child.pid(), List.of(61001)).getFirst();
        go(child);
        assertThat(listener.awaitReadable(Duration.ofSeconds(30).toNanos())).isTrue();
        Optional<Fd> accepted = listener.use(TcpCalls::accept);
        try (AsyncFd connection = AsyncFd.pipe(poller, accepted.orElseThrow())) {
            assertThat(connection.awaitReadable(Duration.ofSeconds(30).toNanos()))
                    .isTrue();
            assertThat(Drain.available(connection, 100)).isEqualTo("hello\n");
        }
        assertThat(child.awaitExit().code()).isZero();
        child.closeStreams();
        listener.close();
    }

    @Test
    void sixteenPortsAreServedInTheirOrderAndNothingListensOnTheHost() throws IOException {
        Child child = isolated("cat /proc/net/tcp");
        List<Integer> ports =
                IntStream.range(61001, 61001 + ProxyRoutes.MAX_ROUTES).boxed().toList();
        List<AsyncFd> listeners = sockets.listen(child.pid(), ports);
        assertThat(listeners).hasSize(ports.size());
        assertThatThrownBy(() -> new Socket(InetAddress.getByName("127.0.0.1"), 61001))
                .isInstanceOf(IOException.class);
        go(child);
        String table = Drain.untilEnd(child.stdout(), 1 << 16, Duration.ofSeconds(30));
        for (int port : ports) {
            assertThat(table).contains("0100007F:%04X 00000000:0000 0A".formatted(port));
        }
        assertThat(child.awaitExit().code()).isZero();
        child.closeStreams();
        listeners.forEach(AsyncFd::close);
    }

    @Test
    void nothingIsLeftWhenAPortIsTaken() throws IOException {
        Child child = isolated("true");
        long before = openFiles();
        assertThatThrownBy(() -> sockets.listen(child.pid(), List.of(61001, 61001)))
                .isInstanceOf(LinuxException.class)
                .hasMessageContaining("Address already in use");
        await().until(() -> openFiles() <= before);
        go(child);
        child.awaitExit();
        child.closeStreams();
    }

    @Test
    void aProcessThatIsGoneIsAnError() {
        Child child = isolated("true");
        go(child);
        child.awaitExit();
        assertThatThrownBy(() -> sockets.listen(child.pid(), List.of(61001)))
                .isInstanceOfSatisfying(
                        LinuxException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ESRCH));
        child.closeStreams();
    }

    private static long openFiles() throws IOException {
        try (var files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        }
    }
}
