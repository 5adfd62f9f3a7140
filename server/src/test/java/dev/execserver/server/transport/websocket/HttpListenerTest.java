package dev.execserver.server.transport.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replacement of a listener whose accept(2) has failed. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpListenerTest {
    private static final ListenPlace ANY =
            new InternetPlace(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

    private final ArrayDeque<WebServer> made = new ArrayDeque<>();

    private WebServer server(ListenPlace address) {
        WebServerConfig.Builder builder = WebServer.builder().shutdownHook(false);
        address.addTo(builder);
        made.add(builder.build());
        return made.getLast();
    }

    private static void connectTo(ListenPlace place) throws IOException {
        InetSocketAddress address = ((InternetPlace) place).address();
        new Socket(address.getAddress(), address.getPort()).close();
    }

    @Test
    void aListenerThatIsLostIsReplacedAtTheSameAddressAndItsThreadEnds() throws Exception {
        Set<Thread> before = listenerThreads();
        HttpListener listener = HttpListener.start(ANY, this::server);
        await().until(() -> !started(before).isEmpty());
        Thread lost = started(before).iterator().next();
        breakAccept(made.getLast());

        assertThat(listener.replace()).isTrue();

        connectTo(listener.place());
        await().atMost(Duration.ofSeconds(30)).until(() -> !lost.isAlive());
        listener.stop();
        await().atMost(Duration.ofSeconds(30)).until(() -> started(before).isEmpty());
    }

    @Test
    void aListenerThatCannotBeReplacedIsTriedAgainLater() throws Exception {
        ArrayDeque<RuntimeException> failures = new ArrayDeque<>();
        HttpListener listener = HttpListener.start(ANY, place -> {
            if (!failures.isEmpty()) {
                throw failures.remove();
            }
            return server(place);
        });
        breakAccept(made.getLast());

        failures.add(new IllegalStateException("no thread can be started"));
        assertThat(listener.replace()).isFalse();
        InetSocketAddress address = ((InternetPlace) listener.place()).address();
        try (ServerSocket _ = new ServerSocket(address.getPort(), 1, address.getAddress())) {
            assertThat(listener.replace()).isFalse();
        }
        assertThat(listener.replace()).isTrue();

        connectTo(listener.place());
        listener.stop();
    }

    @Test
    void aListenerThatIsReplacedWhileItIsStoppedListensNoMore() throws Exception {
        AtomicReference<HttpListener> listener = new AtomicReference<>();
        listener.set(HttpListener.start(ANY, place -> {
            if (listener.get() != null) {
                listener.get().stop();
            }
            return server(place);
        }));

        assertThat(listener.get().replace()).isIn(true, false);

        InetSocketAddress address = ((InternetPlace) listener.get().place()).address();
        assertThatThrownBy(() -> new Socket(address.getAddress(), address.getPort()))
                .isInstanceOf(ConnectException.class);
    }

    @Test
    void aListenerThatIsLostCanBeStopped() throws Exception {
        Set<Thread> before = listenerThreads();
        HttpListener listener = HttpListener.start(ANY, this::server);
        breakAccept(made.getLast());

        listener.stop();

        await().atMost(Duration.ofSeconds(30)).until(() -> started(before).isEmpty());
    }

    /** Closes the channel of the listener. Helidon handles that as any failure of accept(2). */
    private static void breakAccept(WebServer server) throws Exception {
        Object listener =
                ((Map<?, ?>) value(server, "listeners")).values().iterator().next();
        ServerSocketChannel channel = (ServerSocketChannel) value(listener, "serverSocket");
        channel.close();
        await().until(() -> !(boolean) value(listener, "running"));
    }

    private static Object value(Object of, String name) throws ReflectiveOperationException {
        Field field = of.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(of);
    }

    private static Set<Thread> started(Set<Thread> before) {
        return listenerThreads().stream()
                .filter(Predicate.not(before::contains))
                .collect(Collectors.toSet());
    }

    private static Set<Thread> listenerThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().endsWith("-listener"))
                .collect(Collectors.toSet());
    }
}
