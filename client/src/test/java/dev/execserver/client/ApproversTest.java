package dev.execserver.client;

import static dev.execserver.client.Clients.connect;
import static dev.execserver.client.Clients.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.execserver.client.error.RequestFailedException;
import dev.execserver.client.testing.Era;
import dev.execserver.client.testing.FakeServer;
import dev.execserver.client.transport.ClientTransport;
import dev.execserver.client.transport.Connector;
import dev.execserver.protocol.process.ApproveResult;
import dev.execserver.protocol.process.ProcessMethodNames;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rights of approvers, and connections that are lost at bad times. */
@Timeout(60)
class ApproversTest {

    private static final String APPROVE = ProcessMethodNames.EXEC_APPROVE;
    private static final ApproveResult JOINED = new ApproveResult("right", "owner", Optional.empty());

    private final FakeServer server = new FakeServer(Era.OURS, APPROVE);

    @BeforeEach
    void answerEachUse() {
        server.answerNext(APPROVE, JOINED, JOINED, JOINED, JOINED);
    }

    private long uses() {
        return sent(APPROVE);
    }

    private long sent(String method) {
        return server.log().stream().filter(line -> line.startsWith(method)).count();
    }

    @Test
    void aRightIsUsedAgainWhenTheConnectionIsLostRightAfterTheAnswer() throws Exception {
        try (ExecServerClient client = connect(new CuttingAfter(APPROVE))) {
            client.approve("token");
            await().until(() -> uses() == 2);
        }
    }

    @Test
    void aRightWhoseRenewalGetsNoAnswerInTimeIsAskedForAgain() throws Exception {
        try (ExecServerClient client = connect(server, options().requestTimeout(Duration.ofMillis(200)))) {
            client.approve("token");
            server.before(APPROVE, first -> {
                server.mute(true);
                server.before(APPROVE, second -> server.mute(false));
            });
            server.cut();
            await().until(() -> uses() == 3);
            server.cut();
            await().until(() -> uses() == 4);
        }
    }

    @Test
    void aRightThatIsRefusedAtOnceIsNotUsedAgain() throws Exception {
        try (ExecServerClient client = connect(server)) {
            server.failNext(APPROVE, RpcException.invalidRequest("unknown token of an approver"));
            assertThatThrownBy(() -> client.approve("wrong")).isInstanceOf(RequestFailedException.class);
            client.approve("token");
            server.cut();
            await().until(() -> uses() == 3);
            assertThat(server.log().getLast()).contains("token");
        }
    }

    /** Connects to the server, and cuts the first connection when it has answered a method, before its caller gets the answer. */
    private final class CuttingAfter implements Connector {
        private final String method;

        CuttingAfter(String method) {
            this.method = method;
        }

        @Override
        public ClientTransport open(Duration limit) throws IOException {
            return new Cutting(server.open(limit), method);
        }

        @Override
        public boolean reconnectable() {
            return true;
        }
    }

    private final class Cutting implements ClientTransport {
        private final ClientTransport real;
        private final String method;

        Cutting(ClientTransport real, String method) {
            this.real = real;
            this.method = method;
        }

        @Override
        public Optional<byte[]> receive() throws IOException {
            return real.receive();
        }

        @Override
        public void send(MessageBuffer message) throws IOException {
            boolean last = new String(message.toByteArray(), StandardCharsets.UTF_8).contains(method);
            real.send(message);
            if (last && server.connections() == 1) {
                server.cut();
                await().until(() -> sent("initialized") == 2);
            }
        }

        @Override
        public Optional<String> closeReason() {
            return real.closeReason();
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
