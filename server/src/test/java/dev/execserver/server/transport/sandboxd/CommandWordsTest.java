package dev.execserver.server.transport.sandboxd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.server.transport.grpc.GrpcException;
import org.junit.jupiter.api.Test;

class CommandWordsTest {
    private static byte[] commandOf(int words) {
        byte[] config = new byte[2 * words];
        for (int i = 0; i < words; i++) {
            config[2 * i] = 0x0a; // field 1, an empty text
        }
        return new ProtoWriter().member(1, config).toByteArray();
    }

    @Test
    void asManyWordsAsTheBoundAreTakenAndOneMoreIsRefused() {
        assertThat(ProcessMessages.Command.read(commandOf(ProcessMessages.MAX_WORDS), false)
                        .arguments())
                .hasSize(ProcessMessages.MAX_WORDS);
        assertThatThrownBy(() -> ProcessMessages.Command.read(commandOf(ProcessMessages.MAX_WORDS + 1), false))
                .isInstanceOf(GrpcException.class)
                .hasMessageContaining("65536 arguments and variables");
    }
}
