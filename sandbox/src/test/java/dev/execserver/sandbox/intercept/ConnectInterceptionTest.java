package dev.execserver.sandbox.intercept;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.sandbox.connect.ConnectExaminer;
import dev.execserver.sandbox.connect.ConnectPolicy;
import dev.execserver.sandbox.connect.ConnectRequest;
import dev.execserver.sandbox.connect.InnerListeners;
import dev.execserver.sandbox.connect.Passage;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Stdio;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connects of a real program, decided by policies of the test. */
@Timeout(60)
class ConnectInterceptionTest {
    private static final String HEAD = """
            import socket, errno, ctypes, struct, os, threading, time
            libc = ctypes.CDLL(None, use_errno=True)
            def raw(s, address, length=None):
                if libc.connect(s.fileno(), address, len(address) if length is None else length) == 0: return "0"
                return errno.errorcode[ctypes.get_errno()]
            def code(s, *address):
                try:
                    s.connect(address); return "0"
                except OSError as e:
                    return errno.errorcode[e.errno]
            """;

    private static InterceptFixture fixture;

    private final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void open() {
        fixture = new InterceptFixture(true);
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    private final InnerListeners inner = new InnerListeners();

    /** A policy of one test. */
    private interface Deciding {
        ConnectPolicy.Answer decide(ConnectRequest request) throws InterruptedException;
    }

    /** A way to a server of the test. */
    private static final class Way implements Passage {
        private final int port;
        private final CompletableFuture<Integer> source = new CompletableFuture<>();
        private final CountDownLatch cancelled = new CountDownLatch(1);

        Way(int port) {
            this.port = port;
        }

        @Override
        public int innerPort() {
            return port;
        }

        @Override
        public void expect(int sourcePort) {
            source.complete(sourcePort);
        }

        @Override
        public void cancel() {
            cancelled.countDown();
        }
    }

    private InterceptFixture.Running start(Deciding deciding, String program) {
        ConnectPolicy policy = new ConnectPolicy() {
            @Override
            public boolean leadsOut(int port) {
                return true;
            }

            @Override
            public InnerListeners inner() {
                return inner;
            }

            @Override
            public Answer decide(ConnectRequest request) throws InterruptedException {
                asked.add(request.destination().getAddress().getHostAddress() + ":"
                        + request.destination().getPort() + (request.nonBlocking() ? " later" : ""));
                return deciding.decide(request);
            }
        };
        Interception interception =
                fixture.supervisor.intercept(Optional.empty(), Optional.of(new ConnectExaminer(policy)));
        SpawnRequest request = new SpawnRequest(
                        "/usr/bin/python3",
                        List.of("python3", "-c", HEAD + program),
                        InterceptFixture.ENVIRONMENT,
                        "/",
                        new Stdio.Pipes(true),
                        fixture.marks.next())
                .restrictedBy(interception);
        Child child = fixture.spawner.spawn(request);
        return new InterceptFixture.Running(child, interception, new ConcurrentLinkedQueue<>());
    }

    private String output(Deciding deciding, String program) {
        InterceptFixture.Outcome outcome = start(deciding, program).finish();
        assertThat(outcome.err()).isEmpty();
        return outcome.out();
    }

    private static Deciding refusing(int errno) {
        return _ -> new ConnectPolicy.Answer.Refused(errno);
    }

    private static ServerSocket listening() throws IOException {
        return new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
    }

    @Test
    void everySpellingOfAnAddressIsDecidedOnce() {
        assertThat(output(refusing(Errno.EACCES), """
                print(code(socket.socket(), "192.0.2.1", 80))
                print(code(socket.socket(), "0.0.0.0", 81))
                print(code(socket.socket(socket.AF_INET6), "::ffff:169.254.169.254", 82))
                print(code(socket.socket(socket.AF_INET6), "2001:db8::1", 83))
                print(code(socket.socket(socket.AF_INET6), "::", 84))
                v6 = struct.pack("=H", 10) + struct.pack(">HI", 85, 0) + socket.inet_pton(socket.AF_INET6, "2001:db8::2")
                print(raw(socket.socket(socket.AF_INET6), v6))
                s = socket.socket(); s.setblocking(False)
                print(code(s, "192.0.2.2", 86))
                """)).isEqualTo("EACCES\n".repeat(7));
        assertThat(asked)
                .containsExactly(
                        "192.0.2.1:80",
                        "127.0.0.1:81",
                        "169.254.169.254:82",
                        "2001:db8:0:0:0:0:0:1:83",
                        "127.0.0.1:84",
                        "2001:db8:0:0:0:0:0:2:85",
                        "192.0.2.2:86 later");
    }

    @Test
    void callsThatCannotLeaveAreLeftToTheKernel() {
        assertThat(output(refusing(Errno.EPERM), """
                print(raw(socket.socket(), b""), raw(socket.socket(), b"\\2\\0"), raw(socket.socket(), b"\\2\\0" + b"x" * 200))
                print(raw(socket.socket(), ctypes.c_void_p(8), 16))
                print(raw(socket.socket(), b"\\0" * 16))
                print(libc.connect(99, b"\\2\\0" + b"\\0" * 14, 16), errno.errorcode[ctypes.get_errno()])
                print(libc.connect(0, b"\\2\\0" + b"\\0" * 14, 16), errno.errorcode[ctypes.get_errno()])
                u = socket.socket(type=socket.SOCK_DGRAM)
                print(code(u, "127.0.0.1", 9))
                l = socket.socket(); l.bind(("127.0.0.1", 0)); l.listen()
                print(code(socket.socket(), *l.getsockname()))
                """))
                .isEqualTo("EINVAL EINVAL EINVAL\nEFAULT\n0\n-1 EBADF\n-1 ENOTSOCK\n0\n0\n");
        assertThat(asked).isEmpty();
    }

    @Test
    void theOwnSocketIsConnectedFromTheAnnouncedPort() throws Exception {
        try (ServerSocket server = listening()) {
            Way way = new Way(server.getLocalPort());
            CompletableFuture<Integer> peer = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> {
                try (Socket socket = server.accept()) {
                    peer.complete(socket.getPort());
                    socket.getOutputStream().write("led".getBytes());
                } catch (IOException e) {
                    peer.completeExceptionally(e);
                }
            });
            assertThat(output(_ -> new ConnectPolicy.Answer.Led(way), """
                    s = socket.socket(socket.AF_INET6)
                    s.settimeout(None)
                    s.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", 7, 0))
                    print(code(s, "2001:db8::1", 443))
                    print(struct.unpack("ll", s.getsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, 16)))
                    print(s.recv(10).decode())
                    """)).isEqualTo("0\n(7, 0)\nled\n");
            assertThat(peer.get()).isEqualTo(way.source.get());
            assertThat(way.cancelled.getCount()).isOne();
        }
    }

    @Test
    void aSocketThatIsBoundElsewhereIsNotLed() throws IOException {
        try (ServerSocket server = listening()) {
            Way way = new Way(server.getLocalPort());
            assertThat(output(_ -> new ConnectPolicy.Answer.Led(way), """
                    s = socket.socket(socket.AF_INET6)
                    s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                    s.bind(("::1", 0))
                    print(code(s, "2001:db8::1", 443) != "0")
                    """)).isEqualTo("True\n");
            assertThat(way.cancelled.getCount()).isZero();
        }
    }

    @Test
    void aPolicyThatFailsDenies() {
        assertThat(output(
                        _ -> {
                            throw new IllegalStateException("a fault of the policy");
                        },
                        "print(code(socket.socket(), '192.0.2.1', 80))"))
                .isEqualTo("EACCES\n");
    }

    @Test
    void aDescriptorThatIsExchangedMeanwhileIsNotConnected(@TempDir Path folder) throws IOException {
        Path waits = folder.resolve("waits");
        Path exchanged = folder.resolve("exchanged");
        try (ServerSocket server = listening()) {
            Way way = new Way(server.getLocalPort());
            assertThat(output(
                            _ -> {
                                touch(waits);
                                await(exchanged);
                                return new ConnectPolicy.Answer.Led(way);
                            },
                            """
                            s = socket.socket()
                            results = []
                            os.mkfifo("%2$s")
                            t = threading.Thread(target=lambda: results.append(code(s, "192.0.2.1", 80)))
                            t.start()
                            while not os.path.exists("%1$s"): time.sleep(0.005)
                            u = socket.socket(type=socket.SOCK_DGRAM)
                            os.dup2(u.fileno(), s.fileno())
                            open("%2$s", "w").close()
                            t.join()
                            print(results[0])
                            """.formatted(waits, exchanged)))
                    .isEqualTo("EINVAL\n");
            assertThat(way.cancelled.getCount()).isZero();
        }
    }

    /** Reads a named pipe to its end. */
    private static void await(Path pipe) {
        try {
            assertThat(Files.readString(pipe)).isEmpty();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void touch(Path path) {
        try {
            Files.createFile(path);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void theDecisionEndsWithTheTask() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        InterceptFixture.Running running = start(
                _ -> {
                    begun.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                    throw new AssertionError();
                },
                "code(socket.socket(), '192.0.2.1', 80)");
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        running.kill();
        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
    }
}
