package dev.execserver.server.mcp.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.rpc.RpcException;
import org.junit.jupiter.api.Test;

class KeysTest {
    @Test
    void keysSendWhatATerminalSends() {
        assertThat(Keys.onTerminal("ctrl-c")).isEqualTo("\u0003");
        assertThat(Keys.onTerminal("Ctrl-D")).isEqualTo("\u0004");
        assertThat(Keys.onTerminal("enter")).isEqualTo("\r");
        assertThat(Keys.onTerminal("up")).isEqualTo("\u001b[A");
        assertThat(Keys.onPipe("enter")).isEqualTo("\n");
    }

    @Test
    void anUnknownKeyIsRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> Keys.onTerminal("any"))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("`any`")
                .hasMessageContaining("escape");
    }
}
