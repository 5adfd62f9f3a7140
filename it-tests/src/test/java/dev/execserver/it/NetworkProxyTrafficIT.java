package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.BulkSender;
import dev.execserver.it.support.ManagedNetwork;
import dev.execserver.it.support.OpenFiles;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.ProxyConfig;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.TcpPeer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What goes through the network proxy of a process, with and without a sandbox around it. Any TCP server is the host. */
@Timeout(180)
class NetworkProxyTrafficIT {
    private static final Duration LIMIT = Duration.ofSeconds(120);

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    @TempDir
    private Path workspace;

    /** Where the process runs. */
    enum Place {
        IN_THE_OPEN,
        IN_A_SANDBOX;

        Start around(Start start, Path workspace) {
            return this == IN_THE_OPEN ? start : ManagedNetwork.confined(start, workspace);
        }
    }

    /** A tunnel is {@code c()}, or {@code s5()} through SOCKS5. */
    private Start perl(Place place, TcpPeer peer, String program) {
        String script = """
                use IO::Socket::INET;
                sub p { my ($v) = $ENV{$_[0]} =~ m{//([^/]+)}; my $s = IO::Socket::INET->new(PeerAddr => $v) or die "$!"; $s }
                sub n { my ($s, $n) = @_; my $h = ""; while (length $h < $n) { sysread($s, $h, $n - length $h, length $h) or die "end" } $h }
                sub c { my $s = p("HTTP_PROXY"); print $s "CONNECT 127.0.0.1:PORT HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n"; $s->flush;
                  n($s, 19) eq "HTTP/1.1 200 OK\\r\\n\\r\\n" or die "tunnel"; $s }
                sub s5 { my $s = p("ALL_PROXY"); print $s pack("C3", 5, 1, 0), pack("C4C4n", 5, 1, 0, 1, 127, 0, 0, 1, PORT); $s->flush;
                  substr(n($s, 12), 3, 1) eq "\\0" or die "socks"; $s }
                $| = 1;
                """.replace("PORT", Integer.toString(peer.port()));
        Start start = Start.of("perl", "-e", script + program)
                .with("networkProxy", ProxyConfig.allowing("127.0.0.1").json());
        return place.around(start, workspace);
    }

    private String output(Start start) {
        RemoteProcess process = SERVER.client().start(start);
        process.closed(LIMIT);
        return process.text();
    }

    private static void echo(Socket connection) throws IOException {
        connection.getInputStream().transferTo(connection.getOutputStream());
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void fiveHundredTunnelsAtOnceAreServed(Place place) {
        try (TcpPeer peer = TcpPeer.serving(NetworkProxyTrafficIT::echo)) {
            assertThat(
                            output(
                                    perl(
                                            place,
                                            peer,
                                            "my @s = map { $_ % 2 ? c() : s5() } 1..500; my $n = 0;"
                                                    + " for my $i (0..499) { print {$s[$i]} \"line $i\\n\"; $s[$i]->flush }"
                                                    + " for my $i (reverse 0..499) { $n++ if readline($s[$i]) eq \"line $i\\n\" } print $n")))
                    .isEqualTo("500");
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void eitherSideMayCloseItsHalfFirst(Place place) {
        try (TcpPeer peer = TcpPeer.serving(connection -> {
            int count = connection.getInputStream().readAllBytes().length;
            connection.getOutputStream().write(("got " + count).getBytes(UTF_8));
        })) {
            assertThat(
                            output(
                                    perl(
                                            place,
                                            peer,
                                            "for my $s (c(), s5()) { print $s \"x\" x 3000000; $s->flush; shutdown($s, 1); print <$s>, \";\" }")))
                    .isEqualTo("got 3000000;got 3000000;");
        }
        CompletableFuture<Integer> received = new CompletableFuture<>();
        try (TcpPeer peer = TcpPeer.serving(connection -> {
            connection.shutdownOutput();
            received.complete(connection.getInputStream().readAllBytes().length);
        })) {
            assertThat(output(perl(
                            place, peer, "my $s = c(); print \"end\" unless <$s>; print $s \"x\" x 3000000; close $s")))
                    .isEqualTo("end");
            assertThat(received).succeedsWithin(LIMIT).isEqualTo(3_000_000);
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void aSlowReaderHoldsItsSenderAndAGibibyteArrivesWhole(Place place) {
        BulkSender flood = new BulkSender(1024);
        try (TcpPeer peer = TcpPeer.serving(flood)) {
            RemoteProcess process = SERVER.client()
                    .start(perl(
                                    place,
                                    peer,
                                    "my $s = c(); print \"open\\n\"; <STDIN>; open(my $o, \"|-\", \"sha256sum\") or die;"
                                            + " while (sysread($s, my $b, 1 << 20)) { syswrite($o, $b) } close $o")
                            .stdin());
            process.awaitText("open");
            await().atMost(LIMIT).until(flood::stalled);
            assertThat(flood.mebibytes()).isLessThan(64);
            process.write("go\n");
            process.closed(LIMIT);
            assertThat(process.text()).startsWith("open\n" + flood.sha256());
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void aWebSocketIsOpenedByAnUpgradeThroughTheProxy(Place place) {
        // Not a server of ours: no proxy leads to one.
        try (TcpPeer other = TcpPeer.serving(NetworkProxyTrafficIT::webSocket);
                TcpPeer unused = TcpPeer.serving(connection -> {})) {
            // An empty close frame, masked; the answer is one too.
            String program = "my $s = p(\"HTTP_PROXY\"); print $s \"GET http://127.0.0.1:OTHER/ HTTP/1.1\\r\\n"
                    + "Host: 127.0.0.1:OTHER\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n"
                    + "Sec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n\\r\\n\"; $s->flush;"
                    + " while (my $l = <$s>) { print $l; last if $l eq \"\\r\\n\" }"
                    + " print $s \"\\x88\\x80\\0\\0\\0\\0\"; $s->flush; local $/; print unpack(\"H4\", <$s>)";
            assertThat(output(perl(place, unused, program.replace("OTHER", Integer.toString(other.port())))))
                    .startsWith("HTTP/1.1 101 ")
                    .containsIgnoringCase("\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n")
                    .contains("\r\n\r\n88");
        }
    }

    /** Answers the upgrade with the key of RFC 6455 section 1.3, and a close frame with one. */
    private static void webSocket(Socket connection) throws IOException {
        InputStream in = connection.getInputStream();
        int newlines = 0;
        while (newlines < 2) {
            int next = in.read();
            newlines = next == '\n' ? newlines + 1 : next == '\r' ? newlines : 0;
        }
        OutputStream out = connection.getOutputStream();
        out.write(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n")
                .getBytes(UTF_8));
        in.readNBytes(6);
        out.write(new byte[] {(byte) 0x88, 0});
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void nothingStaysWhenTheProcessIsKilledWithOpenTunnels(Place place) {
        try (TcpPeer peer = TcpPeer.serving(NetworkProxyTrafficIT::echo)) {
            output(perl(place, peer, "print 1"));
            SERVER.endSessions();
            OpenFiles before = OpenFiles.of(SERVER.pid());
            String mark = "proxy-killed-" + place;
            RemoteProcess process = SERVER.client()
                    .start(perl(place, peer, "my @s = map { c() } 1..20; print \"open\\n\"; sleep 600")
                            .mark(mark));
            process.awaitText("open");
            assertThat(before.openedSince()).hasSizeGreaterThanOrEqualTo(30);
            ProcFs.marked(mark).forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
            process.closed(LIMIT);
            SERVER.endSessions();
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(before.openedSince()).hasSizeLessThanOrEqualTo(2));
        }
    }
}
