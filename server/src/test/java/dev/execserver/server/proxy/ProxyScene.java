package dev.execserver.server.proxy;

import dev.execserver.protocol.net.DomainRule;
import dev.execserver.protocol.net.NetworkProxyConfig;
import dev.execserver.protocol.net.NetworkProxySettings;
import dev.execserver.protocol.net.PolicyAnswer;
import dev.execserver.protocol.net.PolicyDecision;
import dev.execserver.protocol.net.PolicyRequest;
import dev.execserver.protocol.net.ProxyMode;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.access.ProcessTrail;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.memory.DescriptorBudget;
import dev.execserver.server.proxy.rules.PolicyClient;
import dev.execserver.server.proxy.rules.ProxyBounds;
import dev.execserver.server.proxy.rules.UpstreamProxies;
import dev.execserver.server.rules.NetworkRules;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A proxy with a client and host names that the test defines, and servers behind it. */
public final class ProxyScene implements AutoCloseable {

    public final List<PolicyDecision> decisions = new CopyOnWriteArrayList<>();
    public final List<PolicyRequest> asked = new CopyOnWriteArrayList<>();
    public final Map<String, List<InetAddress>> names = new HashMap<>();
    public final AtomicInteger lookups = new AtomicInteger();
    public Map<String, DomainRule> domains = Map.of("127.0.0.1", DomainRule.ALLOW);
    public List<String> review = List.of();
    public ProxyMode mode = ProxyMode.FULL;
    public boolean localBinding;
    boolean upstream;
    public OptionalLong questionMs = OptionalLong.empty();
    public ProxyBounds bounds = ProxyBounds.DEFAULT;
    DescriptorBudget descriptors = DescriptorBudget.ofThisProcess();
    UpstreamProxies upstreams = UpstreamProxies.NONE;
    public Answering answering = (request, limit) -> Optional.empty();

    private final Poller poller = new Poller();
    private final Timers timers = new Timers();
    private final List<AutoCloseable> open = new ArrayList<>();
    private NetworkProxies proxies;
    private ProcessProxy proxy;

    /** Answers of the client. */
    public interface Answering {
        Optional<PolicyAnswer> answer(PolicyRequest request, Duration limit) throws InterruptedException;
    }

    /** Serves one connection of a server. */
    public interface Talk {
        void talk(InputStream in, OutputStream out) throws IOException;
    }

    public ProcessProxy proxy() {
        if (proxy == null) {
            proxies = new NetworkProxies(
                    poller,
                    timers,
                    descriptors,
                    new NetworkProxies.Operator(upstreams, Optional.empty(), false),
                    bounds,
                    Optional.of(this::lookUp));
            NetworkProxySettings settings = new NetworkProxySettings(
                    true,
                    true,
                    false,
                    upstream,
                    false,
                    mode,
                    localBinding,
                    domains,
                    Map.of(),
                    review,
                    Optional.empty(),
                    false);
            proxy = proxies.open(
                    new ProcessTrail(AccessLog.OFF, "s1", "p1"),
                    new NetworkProxyConfig(settings, Optional.empty(), Optional.empty(), Optional.empty(), questionMs),
                    NetworkRules.NONE,
                    new PolicyClient() {
                        @Override
                        public Optional<PolicyAnswer> ask(PolicyRequest request, Duration limit)
                                throws InterruptedException {
                            asked.add(request);
                            return answering.answer(request, limit);
                        }

                        @Override
                        public void decided(PolicyDecision decision) {
                            decisions.add(decision);
                        }
                    });
        }
        return proxy;
    }

    private CompletableFuture<List<InetAddress>> lookUp(String host) {
        lookups.incrementAndGet();
        List<InetAddress> found = names.get(host);
        if (host.startsWith("hanging")) {
            return new CompletableFuture<>();
        }
        return found == null
                ? CompletableFuture.failedFuture(new UnknownHostException(host))
                : CompletableFuture.completedFuture(found);
    }

    /** Starts a server on 127.0.0.1. Returns its port. */
    int server(Talk talk) throws IOException {
        return server("127.0.0.1", talk);
    }

    public int server(String address, Talk talk) throws IOException {
        ServerSocket listener = new ServerSocket(0, 600, InetAddress.ofLiteral(address));
        open.add(listener);
        Thread.ofVirtual().start(() -> {
            while (!listener.isClosed()) {
                try {
                    Socket socket = listener.accept();
                    Thread.ofVirtual().start(() -> {
                        try (socket) {
                            talk.talk(socket.getInputStream(), socket.getOutputStream());
                        } catch (IOException e) {
                            // the test checks the other end
                        }
                    });
                } catch (IOException e) {
                    return;
                }
            }
        });
        return listener.getLocalPort();
    }

    /** Starts a server that gives each connection this answer and collects the requests. */
    public int httpServer(List<String> received, String answer) throws IOException {
        return server((in, out) -> {
            received.add(head(in));
            out.write(bytes(answer));
        });
    }

    /** Reads up to the empty line. */
    public static String head(InputStream in) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf("\r\n\r\n") < 0) {
            int c = in.read();
            if (c < 0) {
                break;
            }
            text.append((char) c);
        }
        return text.toString();
    }

    public Socket http() throws IOException {
        return connect(proxy().httpAddress().getPort());
    }

    Socket socks() throws IOException {
        return connect(proxy().socksAddress().orElseThrow().getPort());
    }

    private Socket connect(int port) throws IOException {
        Socket socket = new Socket("127.0.0.1", port);
        socket.setSoTimeout(20_000);
        open.add(socket);
        return socket;
    }

    /** Sends a text. Returns everything received until the end. */
    public String exchange(String text) throws IOException {
        try (Socket socket = http()) {
            socket.getOutputStream().write(bytes(text));
            return text(socket.getInputStream().readAllBytes());
        }
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    public static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws Exception {
        if (proxy != null) {
            proxy.close();
            proxies.close();
        }
        for (AutoCloseable each : open) {
            each.close();
        }
        timers.close();
        poller.close();
    }
}
