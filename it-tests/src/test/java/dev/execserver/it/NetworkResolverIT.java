package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.execserver.it.support.FakeResolver;
import dev.execserver.it.support.FakeResolver.Query;
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
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Name servers that answer late, twice, with garbage, with what they should not, or not at all. */
@Timeout(240)
class NetworkResolverIT {
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final String ADDRESS = "127.53.22.3";

    private static FakeResolver resolver;
    private static ServerProcess server;
    private static RawHttpServer http;
    private static final AtomicInteger FLIPPED = new AtomicInteger();
    private static final Queue<Query> HELD = new ConcurrentLinkedQueue<>();

    @TempDir
    private static Path folder;

    @TempDir
    private Path workspace;

    @BeforeAll
    static void start() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "port 53 and a mount need root");
        resolver = FakeResolver.on(ADDRESS, NetworkResolverIT::answer);
        http = RawHttpServer.answering((request, out) -> {
            out.write(RawHttpServer.ok("hello"));
            throw new IOException("closed");
        });
        Path file = Files.writeString(
                folder.resolve("resolv.conf"), "nameserver " + ADDRESS + "\noptions timeout:1 attempts:1\n");
        server = ServerProcess.listening(
                List.of(
                        "unshare",
                        "--mount",
                        "sh",
                        "-c",
                        "mount --bind " + file + " /etc/resolv.conf && exec \"$@\"",
                        "sh"),
                Map.of());
    }

    private static void answer(Query query) throws IOException {
        switch (query.name().replaceFirst("\\.test$", "")) {
            case "good", "xn--bcher-kva" -> query.addresses("127.0.0.1");
            case "twice" -> {
                query.addresses("127.0.0.1");
                query.addresses("10.1.2.3");
            }
            case "late" -> HELD.add(query);
            case "never" -> {}
            case "garbage" -> query.send("no reply at all".repeat(20).getBytes());
            case "short" -> query.send(new byte[] {1});
            case "another" -> query.addressesToAnother("127.0.0.1");
            case "loop" -> query.leadsTo("pool.test");
            case "pool" -> query.leadsTo("loop.test");
            case "self" -> query.leadsTo("self.test");
            case "mixed" -> query.addresses("192.0.2.1", "10.1.2.3");
            case "metadata" -> query.addresses("169.254.169.254");
            case "mapped" -> query.addresses("::ffff:169.254.169.254");
            case "inside" -> query.addresses("fd00::1");
            case "flip" -> query.addresses(FLIPPED.getAndIncrement() < 2 ? "127.0.0.1" : "10.1.2.3");
            default -> query.addresses();
        }
    }

    @AfterAll
    static void stop() {
        if (resolver != null) {
            server.close();
            http.close();
            resolver.close();
        }
    }

    /** Returns what connect(2) says about each name. */
    private String asked(String... names) throws IOException {
        Files.writeString(workspace.resolve("p.py"), """
                import errno, socket, sys
                for name in sys.argv[1:]:
                    s = socket.socket()
                    try:
                        s.connect((name, %d))
                        s.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")
                        print(name, "open" if s.recv(100).startswith(b"HTTP/1.1 200") else "nothing")
                    except socket.gaierror:
                        print(name, "no name")
                    except OSError as e:
                        print(name, errno.errorcode[e.errno])
                """.formatted(http.port()));
        try (WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            ProxyConfig config = ProxyConfig.allowing("*.test", "127.0.0.1").deny("shut.test");
            RemoteProcess process = client.start(ManagedNetwork.confined(
                            Start.bash("/usr/bin/python3 p.py " + String.join(" ", names) + " 2>&1"), workspace)
                    .with("networkProxy", config.with("transparentTcp", true).json()));
            process.closed(LIMIT);
            return process.text();
        }
    }

    @Test
    void anHonestAnswerIsUsedWhateverTheSpellingOfTheName() throws IOException {
        assertThat(asked("good.test", "GOOD.test.", "b\u00fccher.test"))
                .isEqualTo("good.test open\nGOOD.test. open\nb\u00fccher.test open\n");
    }

    @Test
    void anAnswerThatIsNoneMeansThatTheHostCannotBeReached() throws IOException {
        assertThat(asked("garbage.test", "short.test", "another.test", "empty.test"))
                .isEqualTo("garbage.test EHOSTUNREACH\nshort.test EHOSTUNREACH\nanother.test EHOSTUNREACH\n"
                        + "empty.test EHOSTUNREACH\n");
    }

    @Test
    void aServerThatAnswersLateOrNotAtAllHoldsUpNobodyElse() throws IOException {
        assertThat(asked("never.test", "late.test")).isEqualTo("never.test EHOSTUNREACH\nlate.test EHOSTUNREACH\n");
        for (Query query : HELD) {
            query.addresses("127.0.0.1"); // nobody waits for it any more
        }
        assertThat(asked("good.test")).isEqualTo("good.test open\n");
    }

    @Test
    void namesThatLeadToEachOtherEnd() throws IOException {
        assertThat(asked("loop.test", "self.test")).isEqualTo("loop.test EHOSTUNREACH\nself.test EHOSTUNREACH\n");
    }

    @Test
    void oneClosedAddressAmongOpenOnesIsEnoughToRefuse() throws IOException {
        assertThat(asked("mixed.test", "metadata.test", "mapped.test", "inside.test"))
                .isEqualTo("mixed.test EACCES\nmetadata.test EACCES\nmapped.test EACCES\ninside.test EACCES\n");
    }

    @Test
    void theConnectionIsMadeToTheAddressThatWasDecidedAbout() throws IOException {
        assertThat(asked("twice.test")).isEqualTo("twice.test open\n");
        assertThat(asked("flip.test")).isEqualTo("flip.test open\n");
        assertThat(resolver.asked().stream().filter("flip.test"::equals)).hasSizeLessThanOrEqualTo(2); // A and AAAA
    }

    @Test
    void aNameThatTheRulesCannotAllowIsNeverAskedFor() throws IOException {
        assertThat(asked("shut.test", "elsewhere.example", "x".repeat(63) + ".elsewhere.example"))
                .isEqualTo("shut.test no name\nelsewhere.example no name\n" + "x".repeat(63)
                        + ".elsewhere.example no name\n");
        assertThat(resolver.asked()).noneMatch(name -> name.contains("elsewhere") || name.contains("shut"));
    }
}
