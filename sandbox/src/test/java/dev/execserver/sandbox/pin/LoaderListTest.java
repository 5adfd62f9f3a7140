package dev.execserver.sandbox.pin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.sandbox.paths.LinuxPath;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LoaderListTest {
    private static final Set<String> LOADERS = Set.of("/lib64/ld-linux-x86-64.so.2", "/proc/7/fd/9");

    @Test
    void librariesAreListedWithoutTheLoaderAndTheKernelsOwn() {
        String output = """
                \tlinux-vdso.so.1 (0x00007f36dace7000)
                \t/proc/7/fd/11 (0x00007f36dac95000)
                \tlibcap.so.2 => /lib/x86_64-linux-gnu/libcap.so.2 (0x00007f36dac89000)
                \tlibspace.so => /opt/a b/libspace.so (0x00007f36dac89000)
                \t/lib64/ld-linux-x86-64.so.2 => /proc/7/fd/9 (0x00007f36dace9000)
                \t/lib64/ld-linux-x86-64.so.2 (0x00007f36dace9000)
                """;
        assertThat(LoaderList.of(output, LOADERS).orElseThrow().libraries())
                .extracting(LinuxPath::toString)
                .containsExactly("/proc/7/fd/11", "/lib/x86_64-linux-gnu/libcap.so.2", "/opt/a b/libspace.so");
    }

    @Test
    void aMissingLibraryIsNoticed() {
        assertThat(LoaderList.of("\tlibx.so => not found\n", LOADERS)).isEmpty();
    }

    @Test
    void aProgramWithoutLibrariesHasNone() {
        assertThat(LoaderList.of("\tstatically linked\n", LOADERS).orElseThrow().libraries())
                .isEmpty();
    }
}
