package dev.execserver.it.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One server for all tests of a class. After each test its clients are closed, and the server must still live. After the last
 * test it must have written only the URL to stdout, and it must end with status 0 on SIGTERM.
 */
public final class SharedServer implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    private final List<String> prefix;
    private final String[] options;
    private final List<WireClient> clients = new ArrayList<>();
    private ServerProcess server;

    private SharedServer(List<String> prefix, String... options) {
        this.prefix = prefix;
        this.options = options;
    }

    public static SharedServer with(String... options) {
        return new SharedServer(List.of(), options);
    }

    public static SharedServer startedThrough(String prefix, String... options) {
        return new SharedServer(List.of(prefix), options);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        server = ServerProcess.listening(prefix, Map.of(), options);
    }

    public ServerProcess process() {
        return server;
    }

    public int port() {
        return server.port();
    }

    public long pid() {
        return server.pid();
    }

    /** Returns a client that has done the handshake. */
    public WireClient client() {
        WireClient client = silentClient();
        client.handshake();
        return client;
    }

    /** Returns a connected client that has sent nothing. */
    public synchronized WireClient silentClient() {
        WireClient client = WireClient.connect(server.port());
        clients.add(client);
        return client;
    }

    /** Ends the sessions of all clients of this test, and with them the file helpers that the server keeps ready for them. */
    public synchronized void endSessions() {
        clients.forEach(client -> client.call("session/end").result());
        clients.forEach(WireClient::close);
        clients.clear();
    }

    @Override
    public synchronized void afterEach(ExtensionContext context) {
        clients.forEach(WireClient::close);
        clients.clear();
        assertThat(server.alive())
                .as("server lives after the test; stderr: %s", server.stderr())
                .isTrue();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (server == null) {
            return;
        }
        int status = server.stop();
        assertThat(server.stdoutLines()).as("stdout of the server").hasSize(1);
        assertThat(status).as("exit status after SIGTERM").isZero();
    }
}
