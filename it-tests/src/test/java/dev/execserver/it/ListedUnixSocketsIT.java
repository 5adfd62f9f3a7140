package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ManagedNetwork;
import dev.execserver.it.support.ProxyConfig;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Unix sockets that a command with a managed network may connect to, and all others. */
@Timeout(180)
class ListedUnixSocketsIT {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    @TempDir
    private Path workspace;

    @TempDir
    private Path outside;

    private Listener open;
    private Listener shut;

    /** A server that greets each connection. */
    private static final class Listener implements AutoCloseable {
        private final Path path;
        private final ServerSocketChannel channel;
        private final AtomicInteger connections = new AtomicInteger();

        Listener(Path path, byte[] greeting) throws IOException {
            this.path = path;
            this.channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            channel.bind(UnixDomainSocketAddress.of(path));
            Thread.ofVirtual().start(() -> serve(greeting));
        }

        private void serve(byte[] greeting) {
            try {
                while (true) {
                    greet(channel.accept(), greeting);
                }
            } catch (AsynchronousCloseException e) {
                // the end of the test
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        private void greet(SocketChannel peer, byte[] greeting) throws IOException {
            connections.incrementAndGet();
            try (peer) {
                peer.write(ByteBuffer.wrap(greeting));
            } catch (AsynchronousCloseException e) {
                throw e;
            } catch (IOException e) {
                // the peer has gone
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    @BeforeEach
    void listen() throws IOException {
        open = new Listener(outside.resolve("open"), "hello".getBytes(StandardCharsets.US_ASCII));
        shut = new Listener(outside.resolve("shut"), "secret".getBytes(StandardCharsets.US_ASCII));
    }

    @AfterEach
    void end() throws IOException {
        open.close();
        shut.close();
    }

    private Start command(String script, Object... sockets) {
        return ManagedNetwork.confined(Start.bash(script), workspace)
                .env("LANG", "C")
                .env("HTTP_PROXY", "http://127.0.0.1:9")
                .with("managedNetwork", Json.object("allowUnixSockets", List.of(sockets)));
    }

    private String output(Start start) {
        RemoteProcess process = SERVER.client().start(start);
        process.closed(LIMIT);
        return process.text();
    }

    private String python(String program, Object... sockets) throws IOException {
        Files.writeString(workspace.resolve("p.py"), """
                import socket, errno, os, threading, ctypes
                def tell(what, call):
                    try:
                        print(what, call())
                    except OSError as e:
                        print(what, errno.errorcode[e.errno])
                def ask(path):
                    s = socket.socket(socket.AF_UNIX)
                    s.connect(path)
                    return s.recv(100).decode()
                """ + program);
        return output(command("/usr/bin/python3 p.py 2>&1", sockets));
    }

    @Test
    void whatIsListedIsReachedAndNothingElse() throws IOException {
        assertThat(python("""
                tell("open", lambda: ask("%1$s/open"))
                os.chdir("%1$s")
                tell("relative", lambda: ask("open"))
                tell("shut", lambda: ask("%1$s/shut"))
                tell("abstract", lambda: ask("\\0%1$s/open"))
                tell("nothing", lambda: ask("%1$s/none"))
                tell("datagram", lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
                tell("packets", lambda: socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
                """.formatted(outside), open.path.toString()))
                .isEqualTo("open hello\nrelative hello\nshut EACCES\nabstract EACCES\nnothing EACCES\n"
                        + "datagram EPERM\npackets EPERM\n");
        assertThat(shut.connections).hasValue(0);
    }

    @Test
    void theSettingsOfTheProxyListSocketsToo() throws IOException {
        Files.writeString(workspace.resolve("p.py"), """
                import socket
                s = socket.socket(socket.AF_UNIX)
                s.setblocking(False)
                print(s.connect_ex("%s"))
                s.setblocking(True)
                print(s.recv(100).decode())
                """.formatted(open.path));
        assertThat(output(command("/usr/bin/python3 p.py 2>&1")
                        .with(
                                "networkProxy",
                                ProxyConfig.nothing()
                                        .with("transparentTcp", true)
                                        .with(
                                                "unixSockets",
                                                Json.object(
                                                        open.path.toString(), "allow", shut.path.toString(), "none"))
                                        .json())))
                .isEqualTo("0\nhello\n");
    }

    @Test
    void theAgentOfSshAnswers() throws Exception {
        Path socket = outside.resolve("agent");
        Process agent = new ProcessBuilder("ssh-agent", "-D", "-a", socket.toString())
                .redirectErrorStream(true)
                .start();
        try {
            agent.getInputStream().read(); // it listens
            assertThat(output(command("SSH_AUTH_SOCK=" + socket + " ssh-add -l 2>&1", socket.toString())))
                    .isEqualTo("The agent has no identities.\n");
            assertThat(output(command("SSH_AUTH_SOCK=" + socket + " ssh-add -l 2>&1", open.path.toString())))
                    .contains("Error connecting to agent: Permission denied");
        } finally {
            agent.destroy();
            agent.waitFor(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void aDatabaseAnswersItsClient() throws Exception {
        byte[] error = "E\0\0\0\0SFATAL\0C28000\0Mgreetings from the database\0\0".getBytes(StandardCharsets.US_ASCII);
        error[4] = (byte) (error.length - 1);
        try (Listener database = new Listener(outside.resolve(".s.PGSQL.5432"), error)) {
            assertThat(output(command("psql -h " + outside + " -U x x 2>&1", database.path.toString())))
                    .contains("greetings from the database");
        }
    }

    @Test
    void aFileThatIsExchangedLeadsNowhereElse() throws IOException {
        try (Listener own = new Listener(workspace.resolve("own"), "first".getBytes(StandardCharsets.US_ASCII))) {
            assertThat(python("""
                    tell("before", lambda: ask("own"))
                    os.rename("own", "moved")
                    os.symlink("%s/shut", "own")
                    tell("link", lambda: ask("own"))
                    tell("moved", lambda: ask("moved"))
                    """.formatted(outside), own.path.toString()))
                    .isEqualTo("before first\nlink first\nmoved EACCES\n");
        }
        assertThat(shut.connections).hasValue(0);
    }

    @Test
    void aLinkThatTheCommandCouldHaveMadeIsNotFollowed() throws IOException {
        Files.createSymbolicLink(workspace.resolve("planted"), shut.path);
        RemoteProcess process = SERVER.client()
                .start(command(
                        "/usr/bin/python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect(\"planted\")'",
                        workspace.resolve("planted").toString()));
        JsonNode denial = process.exited().params().get("denial");
        process.closed(LIMIT);
        assertThat(denial.get("kind").asText()).isEqualTo("network");
        assertThat(denial.get("path").asText()).endsWith("/planted");
        assertThat(denial.get("rule").asText()).contains("a link leads to it").contains(shut.path.toString());
        assertThat(shut.connections).hasValue(0);
    }

    @Test
    void noRaceOfThreadsLeadsToAnotherSocket() throws IOException {
        assertThat(python("""
                import time
                libc = ctypes.CDLL(None, use_errno=True)
                def name(path):
                    return b"\\1\\0" + path.encode() + b"\\0" * (108 - len(path))
                good, bad = name("%1$s/open"), name("%1$s/shut")
                inet = b"\\2\\0\\0\\1\\x7f\\0\\0\\1" + b"\\0" * 102
                address = ctypes.create_string_buffer(good, 110)
                end = time.monotonic() + 4
                def exchange():
                    unix = socket.socket(socket.AF_UNIX)
                    while time.monotonic() < end:
                        for one in (good, inet, bad):
                            ctypes.memmove(address, one, 110)
                        os.dup2(unix.fileno(), 50)
                        unix = socket.socket(socket.AF_UNIX)
                thread = threading.Thread(target=exchange)
                thread.start()
                tries = 0
                while time.monotonic() < end:
                    s = socket.socket() if tries %% 2 else socket.socket(socket.AF_UNIX)
                    os.dup2(s.fileno(), 50)
                    libc.connect(50, address, 110)
                    tries += 1
                thread.join()
                print(tries > 10)
                """.formatted(outside), open.path.toString())).isEqualTo("True\n");
        assertThat(shut.connections).hasValue(0);
    }

    @Test
    void otherCallsWithAnAddressReachNothing() throws IOException {
        assertThat(python("""
                tell("sendto", lambda: socket.socket(socket.AF_UNIX).sendto(b"x", "%1$s/shut"))
                tell("fastopen", lambda: socket.socket(socket.AF_UNIX).sendto(b"x", 0x20000000, "%1$s/shut"))
                tell("sendmsg", lambda: socket.socket(socket.AF_UNIX).sendmsg([b"x"], [], 0, "%1$s/shut"))
                a, b = socket.socketpair()
                tell("pair", lambda: a.connect("%1$s/shut"))
                a, b = socket.socketpair(type=socket.SOCK_SEQPACKET)
                tell("packets", lambda: a.connect("%1$s/shut"))
                tell("datagrams", lambda: socket.socketpair(type=socket.SOCK_DGRAM))
                """.formatted(outside), open.path.toString()))
                .isEqualTo("sendto ENOTSUP\nfastopen ENOTSUP\nsendmsg ENOTSUP\npair EACCES\npackets EACCES\n"
                        + "datagrams EPERM\n");
        assertThat(shut.connections).hasValue(0);
    }

    @Test
    void theOwnNetworkIsAsBefore() throws IOException {
        assertThat(python("""
                l = socket.socket()
                l.bind(("127.0.0.1", 0))
                l.listen()
                tell("own", lambda: socket.create_connection(l.getsockname()).send(b"xyz"))
                s = socket.socket()
                s.setblocking(False)
                tell("later", lambda: errno.errorcode[s.connect_ex(l.getsockname())])
                tell("none", lambda: socket.create_connection(("127.0.0.1", 1)))
                tell("outside", lambda: socket.create_connection(("192.0.2.1", 80)))
                u = socket.socket(type=socket.SOCK_DGRAM)
                u.bind(("127.0.0.1", 0))
                d = socket.socket(type=socket.SOCK_DGRAM)
                tell("udp", lambda: d.connect(u.getsockname()))
                d.send(b"abc")
                print(u.recv(10).decode())
                libc = ctypes.CDLL(None, use_errno=True)
                print(libc.connect(d.fileno(), b"\\0" * 16, 16), d.connect_ex(u.getsockname()))
                print(libc.connect(d.fileno(), b"", 0), errno.errorcode[ctypes.get_errno()])
                print(libc.connect(d.fileno(), ctypes.c_void_p(8), 16), errno.errorcode[ctypes.get_errno()])
                print(libc.connect(99, b"\\0" * 16, 16), errno.errorcode[ctypes.get_errno()])
                print(libc.connect(0, b"\\0" * 16, 16), errno.errorcode[ctypes.get_errno()])
                """, open.path.toString()))
                .isEqualTo("own 3\nlater EINPROGRESS\nnone ECONNREFUSED\noutside ENETUNREACH\nudp None\nabc\n0 0\n"
                        + "-1 EINVAL\n-1 EFAULT\n-1 EBADF\n-1 ENOTSOCK\n");
    }

    @Test
    void aPathThatCanNeverMatchIsRefused() {
        assertThat(SERVER.client().sendStart(command("true", "run/x")).started().errorMessage())
                .isEqualTo("Unix socket `run/x` can never match: an absolute path is"
                        + " needed, abstract names are never reached");
        assertThat(SERVER.client().sendStart(command("true", "\0x")).started().errorMessage())
                .contains("`@x` can never match");
    }
}
