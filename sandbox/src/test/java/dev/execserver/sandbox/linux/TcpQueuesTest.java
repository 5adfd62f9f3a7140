package dev.execserver.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TcpQueuesTest {

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void tellsWhatThePeerHasNotTaken(String host) throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress(host, 0));
                SocketChannel client = SocketChannel.open(listener.getLocalAddress());
                SocketChannel server = listener.accept()) {
            InetSocketAddress local = (InetSocketAddress) server.getLocalAddress();
            InetSocketAddress remote = (InetSocketAddress) server.getRemoteAddress();
            assertThat(TcpQueues.unacknowledged(local, remote)).hasValue(0);
            server.configureBlocking(false);
            ByteBuffer block = ByteBuffer.allocate(1 << 20);
            while (server.write(block.rewind()) > 0) {
                // until both buffers are full
            }
            assertThat(TcpQueues.unacknowledged(local, remote).orElseThrow()).isGreaterThan(50_000);
            client.close();
            server.close();
            assertThat(TcpQueues.unacknowledged(local, remote).orElse(0)).isZero();
        }
    }
}
