package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.ManagedNetwork;
import dev.execserver.it.support.ProxyConfig;
import dev.execserver.it.support.RawHttpServer;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ways round the decision about a connect, tried by programs that mean it. */
@Timeout(240)
class TransparentTcpEscapeIT {
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final String HEAD = """
            import socket, errno, os, ctypes, struct, threading, time, array
            libc = ctypes.CDLL(None, use_errno=True)
            OPEN, SHUT = %d, %d
            def tell(what, call):
                try:
                    print(what, call())
                except OSError as e:
                    print(what, errno.errorcode[e.errno])
            def code(s, port, host="127.0.0.1"):
                try:
                    s.connect((host, port)); return "0"
                except OSError as e:
                    return errno.errorcode[e.errno]
            def address(port):
                return b"\\2\\0" + struct.pack(">H", port) + b"\\x7f\\0\\0\\1" + b"\\0" * 8
            """;

    private static ServerProcess server;
    private static RawHttpServer open;
    private static RawHttpServer shut;
    private static final AtomicInteger REACHED = new AtomicInteger();

    @TempDir
    private Path workspace;

    @BeforeAll
    static void start() throws IOException {
        server = ServerProcess.listening();
        open = RawHttpServer.answering((request, out) -> {
            out.write(RawHttpServer.ok("hello"));
            throw new IOException("closed");
        });
        shut = RawHttpServer.answering((request, out) -> REACHED.incrementAndGet());
    }

    @AfterAll
    static void stop() {
        open.close();
        shut.close();
        server.close();
    }

    private String python(String program) throws IOException {
        Files.writeString(workspace.resolve("p.py"), HEAD.formatted(open.port(), shut.port()) + program);
        try (WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            RemoteProcess process =
                    client.start(ManagedNetwork.confined(Start.bash("/usr/bin/python3 p.py 2>&1"), workspace)
                            .env("LANG", "C")
                            .with(
                                    "networkProxy",
                                    ProxyConfig.allowing("127.0.0.1:" + open.port())
                                            .with("transparentTcp", true)
                                            .json()));
            process.closed(LIMIT);
            return process.text();
        }
    }

    @Test
    void callsThatSendToAnAddressLeadNowhere() throws IOException {
        assertThat(python("""
                FAST = 0x20000000
                far = ("192.0.2.1", 80)
                tell("sendto", lambda: socket.socket().sendto(b"x", FAST, far))
                tell("sendmsg", lambda: socket.socket().sendmsg([b"x"], [], FAST, far))
                class Iov(ctypes.Structure): _fields_ = [("base", ctypes.c_char_p), ("len", ctypes.c_size_t)]
                class Msg(ctypes.Structure):
                    _fields_ = [("name", ctypes.c_char_p), ("namelen", ctypes.c_uint), ("iov", ctypes.POINTER(Iov)),
                        ("iovlen", ctypes.c_size_t), ("control", ctypes.c_void_p), ("controllen", ctypes.c_size_t),
                        ("flags", ctypes.c_int), ("count", ctypes.c_uint), ("pad", ctypes.c_uint)]
                def many(kind, name):
                    s = socket.socket(type=kind)
                    message = Msg(name, 16, ctypes.pointer(Iov(b"GET / HTTP/1.0\\r\\n\\r\\n", 18)), 1, None, 0, 0, 0, 0)
                    n = libc.sendmmsg(s.fileno(), ctypes.byref(message), 1, FAST if kind == socket.SOCK_STREAM else 0)
                    return n if n >= 0 else errno.errorcode[ctypes.get_errno()]
                tell("sendmmsg", lambda: many(socket.SOCK_STREAM, b"\\2\\0\\0\\x50\\xc0\\0\\2\\1" + b"\\0" * 8))
                tell("datagrams", lambda: many(socket.SOCK_DGRAM, b"\\2\\0\\0\\x50\\xc0\\0\\2\\1" + b"\\0" * 8))
                tell("inside", lambda: many(socket.SOCK_STREAM, address(SHUT)))
                s = socket.socket()
                tell("option", lambda: s.setsockopt(socket.IPPROTO_TCP, 30, 1))
                tell("fast connect", lambda: code(s, SHUT))
                tell("uring", lambda: libc.syscall(425, 8, b"\\0" * 120) if libc.syscall(425, 8, b"\\0" * 120) >= 0 else errno.errorcode[ctypes.get_errno()])
                """))
                .isEqualTo("sendto ENETUNREACH\nsendmsg ENETUNREACH\nsendmmsg ENETUNREACH\ndatagrams ENETUNREACH\n"
                        + "inside ECONNREFUSED\noption None\nfast connect ECONNREFUSED\nuring EPERM\n");
        assertThat(REACHED).hasValue(0);
    }

    @Test
    void aConnectionThatIsLetGoIsDecidedAnew() throws IOException {
        assertThat(python("""
                s = socket.socket()
                print(code(s, OPEN))
                s.shutdown(socket.SHUT_RDWR)
                print(libc.connect(s.fileno(), b"\\0" * 16, 16))
                print(code(s, 80, "192.0.2.1"), code(s, SHUT))
                """)).isEqualTo("0\n0\nEACCES ECONNREFUSED\n");
        assertThat(REACHED).hasValue(0);
    }

    @Test
    void aConnectedSocketThatListensIsSeenByNobodyOutside() throws IOException {
        assertThat(python("""
                s = socket.socket()
                print(code(s, OPEN))
                print(libc.connect(s.fileno(), b"\\0" * 16, 16))
                tell("listen", lambda: s.listen())
                port = s.getsockname()[1]
                tell("wait", lambda: s.settimeout(0.2))
                tell("inside", lambda: code(socket.socket(), port))
                """)).contains("0\n0\nlisten None\n").endsWith("inside 0\n");
    }

    @Test
    void aSocketThatIsHandedOnIsDecidedForWhoeverConnectsIt() throws IOException {
        assertThat(python("""
                a, b = socket.socketpair()
                s = socket.socket()
                if os.fork() == 0:
                    _, control, _, _ = b.recvmsg(1, 100)
                    fd = array.array("i", control[0][2][:4])[0]
                    got = socket.socket(fileno=fd)
                    print(code(got, 80, "192.0.2.1"), code(got, OPEN), flush=True)
                    os._exit(0)
                a.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [s.fileno()]))])
                os.wait()
                s.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")
                print(s.recv(1000).endswith(b"hello"))
                """)).isEqualTo("EACCES 0\nTrue\n");
    }

    @Test
    void noRaceOfThreadsReachesWhatIsNotAllowed() throws IOException {
        assertThat(python("""
                good, bad = address(OPEN), address(SHUT)
                buffer = ctypes.create_string_buffer(good, 16)
                end = time.monotonic() + 5
                def exchange():
                    while time.monotonic() < end:
                        ctypes.memmove(buffer, bad, 16)
                        ctypes.memmove(buffer, good, 16)
                        other = socket.socket()
                        os.dup2(other.fileno(), 60)
                        other.close()
                thread = threading.Thread(target=exchange)
                thread.start()
                answers = 0
                while time.monotonic() < end:
                    s = socket.socket()
                    s.settimeout(5)
                    os.dup2(s.fileno(), 60)
                    if libc.connect(60, buffer, 16) == 0:
                        try:
                            s.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")
                            answers += 1
                        except OSError: pass
                thread.join()
                print("end")
                """)).endsWith("end\n");
        assertThat(REACHED).hasValue(0);
    }

    @Test
    void manyPathsOfTcpAreOneConnection() throws IOException {
        assertThat(python("""
                s = socket.socket(proto=262)
                print(code(s, 80, "192.0.2.1"), code(socket.socket(proto=262), SHUT))
                print(code(s, OPEN) in ("0", "EACCES", "EINVAL"))
                """)).isEqualTo("EACCES ECONNREFUSED\nTrue\n");
        assertThat(REACHED).hasValue(0);
    }

    @Test
    void anAnnouncedPortBelongsToOneConnection() throws IOException {
        assertThat(python("""
                # connections straight to the inner port, while an allowed one is opened, get no byte
                stop = False
                stolen = []
                def steal():
                    while not stop:
                        try:
                            t = socket.create_connection(("127.0.0.1", 61003), timeout=5)
                            t.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")
                            data = t.recv(10)
                            if data: stolen.append(data)
                        except OSError: pass
                thread = threading.Thread(target=steal)
                thread.start()
                for i in range(30):
                    s = socket.socket()
                    s.settimeout(30)
                    print(code(s, OPEN)) if i == 29 else code(s, OPEN)
                    s.close()
                stop = True
                thread.join()
                print(stolen)
                """)).isEqualTo("0\n[]\n");
    }
}
