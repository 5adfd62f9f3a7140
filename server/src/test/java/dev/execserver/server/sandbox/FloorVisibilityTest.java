package dev.execserver.server.sandbox;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.Access;
import dev.execserver.protocol.permissions.NetworkPolicy;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.PipeCalls;
import dev.execserver.sandbox.paths.KernelFileView;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.resolve.PolicyAccess;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.resolve.Rule;
import dev.execserver.sandbox.resolve.RuleTarget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FloorVisibilityTest {
    @TempDir
    private Path directory;

    private Path hidden;
    private FloorVisibility visibility;

    @BeforeEach
    void make() throws IOException {
        directory = directory.toRealPath();
        hidden = Files.createDirectory(directory.resolve("hidden"));
        Files.createSymbolicLink(directory.resolve("link"), hidden);
        ResolvedPolicy floor = new ResolvedPolicy(
                ResolvedPolicy.Kind.RESTRICTED,
                NetworkPolicy.RESTRICTED,
                true,
                false,
                false,
                List.of(rule(Path.of("/"), Access.READ), rule(hidden, Access.DENY)),
                List.of(),
                List.of(),
                List.of());
        visibility = new FloorVisibility(() -> List.of(floor), new PolicyAccess(new KernelFileView(), List.of()));
    }

    private static Rule rule(Path path, Access access) {
        LinuxPath place = LinuxPath.of(path.toString());
        return new Rule(place, access, Rule.Origin.ENTRY, new RuleTarget.Missing(place));
    }

    private static PathUri uri(Path path) {
        return PathUri.ofNative(path.toString());
    }

    private static Fd open(Path path) {
        return FileCalls.open(path.toString().getBytes(StandardCharsets.UTF_8), FileCalls.O_PATH, 0);
    }

    @Test
    void whatWasOpenedCountsWhateverThePathSays() {
        try (Fd itself = open(directory.resolve("link"));
                Fd above = open(directory)) {
            assertThatThrownBy(() -> visibility.require(itself, uri(directory)))
                    .isInstanceOf(RpcException.class)
                    .hasMessageEndingWith("hides " + directory);
            assertThatThrownBy(() -> visibility.require(itself, bytes("f"), uri(directory)))
                    .isInstanceOf(RpcException.class);
            assertThatThrownBy(() -> visibility.require(above, bytes("hidden"), uri(directory)))
                    .isInstanceOf(RpcException.class);
            assertThatCode(() -> {
                        visibility.require(above, uri(hidden));
                        visibility.require(above, bytes("other"), uri(hidden));
                        visibility.require(above, bytes("."), uri(hidden));
                        visibility.require(above, bytes(".."), uri(hidden));
                    })
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void pathsAreFollowedAndWhatHasNoPlaceIsHidden() {
        assertThatThrownBy(() -> visibility.require(uri(directory.resolve("link/f"))))
                .isInstanceOf(RpcException.class);
        assertThatCode(() -> visibility.require(uri(directory.resolve("other"))))
                .doesNotThrowAnyException();
        try (PipeCalls.Pipe pipe = PipeCalls.pipe()) {
            assertThatThrownBy(() -> visibility.require(pipe.readEnd(), uri(directory)))
                    .isInstanceOf(RpcException.class);
        }
    }

    private static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }
}
