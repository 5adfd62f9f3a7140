package dev.execserver.client.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.client.error.UnexpectedAnswerException;
import dev.execserver.client.transport.ClientTransport;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.Notification;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConnectionTest {

    private static final int MIN_QUESTION_BYTES = 64;

    private final Stub stub = new Stub();
    private final LinkedBlockingQueue<String> ends = new LinkedBlockingQueue<>();
    private final Connection connection = new Connection(stub, new Connection.Owner() {
        @Override
        public void notified(Notification notification) {}

        @Override
        public void ended(Connection lost, List<Call> unanswered, String why) {
            unanswered.forEach(call -> call.fail(() -> new ConnectionLostException(why)));
            ends.add(why);
        }
    });

    @Test
    void aPeerThatGivesNoSignOfLifeIsLostEvenWhileASenderWaitsForIt() throws Exception {
        Call call = new Call("m", JsonWritable.EMPTY_OBJECT, AfterLoss.FAIL);
        Thread sender = Thread.ofVirtual().name("test-sender").start(() -> connection.submit(call));
        stub.sending.await();
        stub.idle = Duration.ofSeconds(1);
        connection.start(Duration.ofMillis(5));
        assertThat(ends.poll(5, TimeUnit.SECONDS)).contains("nothing heard for 1000 ms");
        assertThatThrownBy(() -> call.await(Optional.empty())).isInstanceOf(ConnectionLostException.class);
        sender.join();
    }

    @Test
    void aQuietPeerIsAskedForASignOfLife() throws Exception {
        stub.idle = Duration.ofMillis(9);
        connection.start(Duration.ofMillis(5));
        assertThat(stub.pinged.await(5, TimeUnit.SECONDS)).isTrue();
        connection.end("test");
        assertThat(ends.take()).isEqualTo("test");
    }

    @Test
    void aMessageThatIsNoneOfTheProtocolEndsTheConnection() throws Exception {
        stub.inbound.add("[]".getBytes());
        connection.start(Duration.ofSeconds(60));
        assertThat(ends.take()).contains("none of the protocol");
    }

    @Test
    void c104_questionsThatWaitForTheirAnswersAreBounded() throws Exception {
        for (int id = 0; id <= Connection.MAX_ASKED; id++) {
            stub.inbound.add(("{\"id\":" + id + ",\"method\":\"network/decide\",\"params\":{}}").getBytes());
        }
        connection.start(Duration.ofSeconds(60));
        assertThat(ends.take())
                .isEqualTo("connection lost: the server asks more at once than 1024 questions or 67108864 bytes");
    }

    @Test
    void c104_questionsAreBoundedByTheirBytesToo() throws Exception {
        byte[] largest = question(Math.toIntExact(Connection.MAX_ASKED_BYTES));
        assertThat(largest).hasSize(Math.toIntExact(Connection.MAX_ASKED_BYTES));
        stub.inbound.add(largest);
        connection.start(Duration.ofSeconds(60));
        stub.sending.await(); // it was taken, and its answer waits
        assertThat(ends).isEmpty();

        stub.inbound.add(question(MIN_QUESTION_BYTES));
        assertThat(ends.take()).contains("the server asks more at once than 1024 questions or 67108864 bytes");
    }

    @Test
    void c104_aQuestionOfOneByteMoreIsNotTaken() throws Exception {
        stub.inbound.add(question(Math.toIntExact(Connection.MAX_ASKED_BYTES) + 1));
        connection.start(Duration.ofSeconds(60));
        assertThat(ends.take()).contains("the server asks more at once");
    }

    private static byte[] question(int bytes) {
        String text = "{\"id\":1,\"method\":\"network/decide\",\"params\":{}";
        return (text + " ".repeat(bytes - text.length() - 1) + "}").getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void c105_anAnswerAsLongAsTheCallAllowsIsTaken() throws Exception {
        Call call = new Call("fs/readBlock", JsonWritable.EMPTY_OBJECT, AfterLoss.FAIL, 100);
        JsonSlice answer = JsonSlice.of("{}");
        call.complete(answer, 100);
        assertThat(call.await(Optional.empty())).isSameAs(answer);
    }

    @Test
    void c105_anAnswerLongerThanTheCallAllowsFailsIt() {
        Call call = new Call("fs/readBlock", JsonWritable.EMPTY_OBJECT, AfterLoss.FAIL, 100);
        call.complete(null, 101);
        assertThatThrownBy(() -> call.await(Optional.empty()))
                .isInstanceOf(UnexpectedAnswerException.class)
                .hasMessage(
                        "answer to fs/readBlock is not taken: it has 101 bytes, and 100 are the most for what was asked");
    }

    @Test
    void anEndedConnectionTakesNoCalls() {
        connection.end("test");
        assertThat(connection.submit(new Call("m", JsonWritable.EMPTY_OBJECT, AfterLoss.FAIL)))
                .isFalse();
        assertThat(ends).containsExactly("test");
    }

    @Test
    void aRequestAboveTheLimitIsRefusedHere() {
        JsonWritable huge = g -> g.writeString("x".repeat(ClientTransport.MAX_MESSAGE_BYTES));
        assertThatThrownBy(() -> connection.submit(new Call("m", huge, AfterLoss.FAIL)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(ends).isEmpty();
    }

    /** Transport with a peer that reads nothing. */
    private static final class Stub implements ClientTransport {
        private final LinkedBlockingQueue<byte[]> inbound = new LinkedBlockingQueue<>();
        private final CountDownLatch sending = new CountDownLatch(1);
        private final CountDownLatch closed = new CountDownLatch(1);
        private final CountDownLatch pinged = new CountDownLatch(1);
        private volatile Duration idle = Duration.ZERO;

        @Override
        public Optional<byte[]> receive() throws IOException {
            try {
                byte[] message = inbound.take();
                return message.length == 0 ? Optional.empty() : Optional.of(message);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }

        @Override
        public void send(MessageBuffer message) throws IOException {
            sending.countDown();
            try {
                closed.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            throw new IOException("closed");
        }

        @Override
        public void ping() throws IOException {
            pinged.countDown();
            if (sending.getCount() == 0) {
                send(new MessageBuffer());
            }
        }

        @Override
        public long idleNanos() {
            return idle.toNanos();
        }

        @Override
        public void close() {
            closed.countDown();
            inbound.add(new byte[0]);
        }
    }
}
