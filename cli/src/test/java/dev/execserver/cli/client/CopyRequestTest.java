package dev.execserver.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.cli.client.CopyRequest.Operand;
import dev.execserver.cli.local.ConfigException;
import dev.execserver.protocol.environment.EnvironmentInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CopyRequestTest {
    @Test
    void aColonInFrontIsTheServer() {
        assertThat(of("a", "-r", ":b"))
                .isEqualTo(new CopyRequest(List.of(new Operand.Local("a")), new Operand.Remote("b"), true));
        assertThat(of(":", "./:x"))
                .isEqualTo(new CopyRequest(List.of(new Operand.Remote("")), new Operand.Local("./:x"), false));
        assertThat(of("-", ":b").sources()).containsExactly(new Operand.Stream());
    }

    @Test
    void oneSideAndOnlyOneIsTheServer() {
        assertRefused("give a source and a target", "a");
        assertRefused("the target is here, so every source must be on the server", "a", "b");
        assertRefused("the target is on the server, so no source may be", "a", ":b", ":c");
        assertRefused("- stands for one file", "-", "a", ":b");
        assertRefused("a path is empty", "", ":b");
    }

    @Test
    void aRelativePathNeedsAServerThatSaysWhereItIs() {
        assertThat(RemotePaths.path("/a", Optional.empty()).display()).isEqualTo("/a");
        assertThat(RemotePaths.path("file:///a%FF", Optional.empty()).bytes()).hasSize(3);
        Optional<EnvironmentInfo> silent = Optional.empty();
        assertThatThrownBy(() -> RemotePaths.path("~/a", silent))
                .isInstanceOf(ConfigException.class)
                .hasMessage("the server does not say where `:~/a` begins; give an absolute path");
    }

    private static CopyRequest of(String... line) {
        return CopyRequest.of(Arguments.read(CopyCommand.USAGE, List.of(line))
                .orElseGet(() -> PicocliReading.of(CopyCommand.USAGE, List.of(line))));
    }

    private static void assertRefused(String message, String... operands) {
        Arguments arguments = new Arguments(Map.of(), List.of(operands));
        assertThatThrownBy(() -> CopyRequest.of(arguments))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(message);
    }
}
