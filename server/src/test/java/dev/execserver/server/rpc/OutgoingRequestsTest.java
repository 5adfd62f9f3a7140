package dev.execserver.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.rpc.ErrorData;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.RequestId;
import dev.execserver.server.outbound.BufferPool;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.transport.InMemoryTransport;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class OutgoingRequestsTest {
    private final OutgoingRequests requests =
            new OutgoingRequests(new Outbound(InMemoryTransport.pair().server(), new BufferPool()));

    @Test
    void theMessageOfAnErrorIsCut() {
        CompletableFuture<JsonSlice> answer = requests.send("exec/approval", ErrorData.empty());

        assertThat(requests.failed(RequestId.of(1), "x".repeat(1_000_000))).isTrue();

        assertThatThrownBy(answer::join)
                .cause()
                .satisfies(error -> assertThat(error.getMessage()).hasSize(OutgoingRequests.MAX_ERROR_CHARS));
    }
}
