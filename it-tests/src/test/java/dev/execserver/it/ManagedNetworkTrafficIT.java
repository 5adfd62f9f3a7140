package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.BulkSender;
import dev.execserver.it.support.ManagedNetwork;
import dev.execserver.it.support.OpenFiles;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.TcpPeer;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes over the bridge between a sandbox and its proxy. Any TCP server stands for the proxy. */
@Timeout(180)
class ManagedNetworkTrafficIT {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    @TempDir
    private Path workspace;

    private RemoteProcess start(String script, TcpPeer peer) {
        return SERVER.client().start(inside(script, peer));
    }

    private Start inside(String script, TcpPeer peer) {
        return ManagedNetwork.shell(script, workspace, "http://127.0.0.1:" + peer.port());
    }

    private String output(String script, TcpPeer peer) {
        RemoteProcess process = start(script, peer);
        process.closed(LIMIT);
        return process.text();
    }

    private static String perl(String program) {
        return "perl -MIO::Socket::INET -e 'sub c { IO::Socket::INET->new(PeerAddr => \"127.0.0.1:61001\") or die \"$!\" } "
                + program + "'";
    }

    private static void echo(Socket connection) throws IOException {
        connection.getInputStream().transferTo(connection.getOutputStream());
    }

    @Test
    void fiveHundredConnectionsAtOnceAreServed() {
        try (TcpPeer peer = TcpPeer.serving(ManagedNetworkTrafficIT::echo)) {
            String out = output(
                    perl("my @s = map { c() } 1..500; my $n = 0; for my $i (0..499) { print {$s[$i]} \"line $i\\n\" }"
                            + "for my $i (reverse 0..499) { $n++ if readline($s[$i]) eq \"line $i\\n\" } print $n"),
                    peer);
            assertThat(out).isEqualTo("500");
        }
    }

    @Test
    void eitherSideMayCloseItsHalfFirst() {
        try (TcpPeer peer = TcpPeer.serving(connection -> {
            int count = connection.getInputStream().readAllBytes().length;
            connection.getOutputStream().write(("got " + count).getBytes(UTF_8));
        })) {
            assertThat(output(
                            perl("my $s = c(); print $s \"x\" x 3000000; $s->flush; shutdown($s, 1); print <$s>"),
                            peer))
                    .isEqualTo("got 3000000");
        }
        CompletableFuture<Integer> received = new CompletableFuture<>();
        try (TcpPeer peer = TcpPeer.serving(connection -> {
            connection.shutdownOutput();
            received.complete(connection.getInputStream().readAllBytes().length);
        })) {
            assertThat(output(perl("my $s = c(); print \"end\" unless <$s>; print $s \"x\" x 3000000; close $s"), peer))
                    .isEqualTo("end");
            assertThat(received).succeedsWithin(LIMIT).isEqualTo(3_000_000);
        }
    }

    @Test
    void aSlowReaderHoldsItsSenderAndAGibibyteArrivesWhole() {
        BulkSender flood = new BulkSender(1024);
        try (TcpPeer peer = TcpPeer.serving(flood)) {
            RemoteProcess process = SERVER.client()
                    .start(inside(
                                    perl("my $s = c(); print \"open\\n\"; STDOUT->flush; <STDIN>;"
                                            + " open(my $o, \"|-\", \"sha256sum\") or die;"
                                            + " while (sysread($s, my $b, 1 << 20)) { syswrite($o, $b) } close $o"),
                                    peer)
                            .stdin());
            process.awaitText("open");
            await().atMost(LIMIT).until(flood::stalled);
            assertThat(flood.mebibytes()).isLessThan(64);
            process.write("go\n");
            process.closed(LIMIT);
            assertThat(process.text()).startsWith("open\n" + flood.sha256());
        }
    }

    @Test
    void theLastWordsOfACommandArrive() {
        CompletableFuture<String> heard = new CompletableFuture<>();
        try (TcpPeer peer = TcpPeer.serving(connection ->
                heard.complete(new String(connection.getInputStream().readAllBytes(), UTF_8)))) {
            output("exec 3<>/dev/tcp/127.0.0.1/61001; printf last >&3", peer);
            assertThat(heard).succeedsWithin(LIMIT).isEqualTo("last");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "[::1]"})
    void aProxyOnIpv6IsReached(String host) {
        try (TcpPeer peer = TcpPeer.on("::1", ManagedNetworkTrafficIT::echo)) {
            Start start = inside(perl("my $s = c(); print $s \"six\\n\"; print scalar <$s>"), peer);
            for (String name : new String[] {"http_proxy", "https_proxy", "HTTP_PROXY", "ALL_PROXY"}) {
                start.env(name, "http://" + host + ":" + peer.port());
            }
            RemoteProcess process = SERVER.client().start(start);
            process.closed(LIMIT);
            assertThat(process.text()).isEqualTo("six\n");
        }
    }

    @Test
    void nothingStaysWhenTheCommandEndsHoweverItEnds() {
        try (TcpPeer peer = TcpPeer.serving(ManagedNetworkTrafficIT::echo)) {
            output("true", peer);
            SERVER.endSessions();
            OpenFiles before = OpenFiles.of(SERVER.pid());
            String hold = perl("my @s = map { c() } 1..20; print {$_} \"x\\n\" for @s; readline($_) for @s;"
                    + "print \"open\\n\"; STDOUT->flush; sleep 600");
            RemoteProcess terminated = start(hold, peer);
            terminated.awaitText("open");
            assertThat(before.openedSince()).hasSizeGreaterThanOrEqualTo(41);
            assertThat(terminated.terminate()).isTrue();
            terminated.closed(LIMIT);

            RemoteProcess killed = SERVER.client().start(inside(hold, peer).mark("bridge-killed"));
            killed.awaitText("open");
            ProcFs.marked("bridge-killed")
                    .forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
            killed.closed(LIMIT);
            SERVER.endSessions();

            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(before.openedSince()).hasSizeLessThanOrEqualTo(2));
        }
    }
}
