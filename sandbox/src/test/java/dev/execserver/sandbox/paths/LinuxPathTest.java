package dev.execserver.sandbox.paths;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinuxPathTest {

    @ParameterizedTest
    @CsvSource({"/,/", "//a//b/,/a/b", "/a/./b/..,/a", "/../..,/", "/a/../../b,/b", "/ü ö/%,/ü ö/%"})
    void pathsAreNormal(String given, String normal) {
        assertThat(LinuxPath.of(given)).hasToString(normal).isEqualTo(LinuxPath.of(normal));
    }

    @Test
    void whatLiesAboveComesFirst() {
        assertThat(Stream.of("/b/c", "/a/b/c", "/", "/a", "/b", "/a/b")
                        .map(LinuxPath::of)
                        .sorted())
                .map(LinuxPath::toString)
                .containsExactly("/", "/a", "/b", "/a/b", "/b/c", "/a/b/c");
    }

    @Test
    void componentsAreComparedAsAWhole() {
        LinuxPath a = LinuxPath.of("/a");
        assertThat(LinuxPath.of("/ab").startsWith(a)).isFalse();
        assertThat(LinuxPath.of("/a/b").startsWith(a)).isTrue();
        assertThat(a.startsWith(a)).isTrue();
        assertThat(a.below(a)).isFalse();
        assertThat(a.below(LinuxPath.ROOT)).isTrue();
    }

    @Test
    void partsOfAPath() {
        LinuxPath path = LinuxPath.of("/a/b/c");
        assertThat(path.lineage()).map(LinuxPath::toString).containsExactly("/", "/a", "/a/b", "/a/b/c");
        assertThat(LinuxPath.ROOT.lineage()).containsExactly(LinuxPath.ROOT);
        assertThat(path.parent()).hasToString("/a/b");
        assertThat(LinuxPath.ROOT.parent()).isEqualTo(LinuxPath.ROOT);
        assertThat(path.name()).asString().isEqualTo("c");
        assertThat(path.depth()).isEqualTo(3);
        assertThat(path.relativeTo(LinuxPath.of("/a"))).asString().isEqualTo("b/c");
        assertThat(path.relativeTo(LinuxPath.ROOT)).asString().isEqualTo("a/b/c");
        assertThat(path.relativeTo(path)).isEmpty();
    }

    @Test
    void bytesAreKept() {
        byte[] name = {'/', (byte) 0xff, 'x'};
        assertThat(LinuxPath.of(name).bytes()).isEqualTo(name);
        assertThat(LinuxPath.ROOT.child(new byte[] {(byte) 0xff, 'x'})).isEqualTo(LinuxPath.of(name));
    }

    @Test
    void whatIsNoPathIsRefused() {
        assertThatThrownBy(() -> LinuxPath.of("a")).hasMessage("path is not absolute: a");
        assertThatThrownBy(() -> LinuxPath.of("/a\0")).hasMessageStartingWith("path holds a NUL byte");
        for (String name : new String[] {"", ".", "..", "a/b"}) {
            assertThatThrownBy(() -> LinuxPath.ROOT.child(name)).hasMessage("not the name of an entry: " + name);
        }
    }
}
