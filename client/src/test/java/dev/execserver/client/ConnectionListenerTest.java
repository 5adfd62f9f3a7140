package dev.execserver.client;

import static dev.execserver.client.Clients.connect;
import static dev.execserver.client.Clients.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.client.testing.Era;
import dev.execserver.client.testing.FakeServer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConnectionListenerTest {

    private final List<String> events = new CopyOnWriteArrayList<>();
    private final ConnectionListener listener = new ConnectionListener() {
        @Override
        public void interrupted() {
            events.add("interrupted");
            throw new IllegalStateException("a listener that fails hears on");
        }

        @Override
        public void resumed() {
            events.add("resumed");
        }

        @Override
        public void ended(String reason) {
            events.add("ended: " + reason);
        }
    };

    @Test
    void lossResumptionAndEndAreToldInOrder() throws Exception {
        FakeServer server = new FakeServer(Era.OURS);
        try (ExecServerClient client = connect(server, options().connectionListener(listener))) {
            server.cut();
            await().until(() -> events.size() == 2);
            assertThat(client.sessionId()).isPresent();
        }
        await().until(() -> events.size() == 3);
        assertThat(events).containsExactly("interrupted", "resumed", "ended: closed by this client");
    }
}
