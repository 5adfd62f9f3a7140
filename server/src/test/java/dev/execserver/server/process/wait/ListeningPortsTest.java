package dev.execserver.server.process.wait;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class ListeningPortsTest {

    private static final int SELF = (int) ProcessHandle.current().pid();

    @Test
    void aSocketThatListensIsSeenAndOneThatIsClosedIsNot() throws Exception {
        ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        int port = socket.getLocalPort();
        try (socket) {
            assertThat(ListeningPorts.listens(SELF, port)).isTrue();
        }
        assertThat(ListeningPorts.listens(SELF, port)).isFalse();
    }

    @Test
    void onlyTheLocalPortOfARowThatListensCounts() {
        String row = "   0: 0100007F:1F90 0200007F:0050 %s 00000000:00000000 00:00000000 00000000  0 0 1";
        assertThat(ListeningPorts.listens(row.formatted("0A"), 8080)).isTrue();
        assertThat(ListeningPorts.listens(row.formatted("01"), 8080)).isFalse();
        assertThat(ListeningPorts.listens(row.formatted("0A"), 80)).isFalse();
        assertThat(ListeningPorts.listens("  sl  local_address rem_address   st tx_queue", 8080))
                .isFalse();
        assertThat(ListeningPorts.listens("", 8080)).isFalse();
    }

    @Test
    void aProcessThatIsGoneListensOnNothing() {
        assertThat(ListeningPorts.listens(Integer.MAX_VALUE, 80)).isFalse();
    }
}
