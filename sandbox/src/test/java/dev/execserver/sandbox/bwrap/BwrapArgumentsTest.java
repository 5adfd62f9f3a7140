package dev.execserver.sandbox.bwrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.sandbox.seccomp.FilterMode;
import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.sandbox.seccomp.SeccompFilter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class BwrapArgumentsTest {
    @TempDir
    private Path directory;

    @Test
    void commandDoesNotRunWithoutItsFilterWhateverThereIsOfTheOptions() throws Exception {
        byte[] filter =
                SeccompFilter.assemble(FilterMode.RESTRICTED, Machine.current().orElseThrow());
        byte[] all = new BwrapArguments(3)
                .add("--unshare-user", "--die-with-parent", "--bind", "/", "/", "--dev", "/dev", "--proc", "/proc")
                .add("--cap-drop", "ALL", "--chdir", "/usr")
                .bytes();
        for (int end = 0; end <= all.length; end++) {
            if (end == 0 || all[end - 1] == 0) {
                assertThat(output(Arrays.copyOf(all, end), new byte[0]))
                        .as("%d of %d bytes", end, all.length)
                        .doesNotContain("ran in");
            }
        }
        assertThat(output(all, filter)).isEqualTo("ran in /usr\n");
    }

    @ParameterizedTest
    @EnumSource(FilterMode.class)
    void filterIsWrittenAsAWholeOrNotAtAll(FilterMode mode) {
        assertThat(SeccompFilter.assemble(mode, Machine.current().orElseThrow()))
                .as("see PIPE_BUF in pipe(7)")
                .hasSizeLessThanOrEqualTo(4096);
    }

    /** Returns the output of a command under these options, and that of bubblewrap. */
    private String output(byte[] options, byte[] filter) throws IOException, InterruptedException {
        Path first = Files.write(directory.resolve("options"), options);
        Path second = Files.write(directory.resolve("filter"), filter);
        List<String> command = new ArrayList<>(
                List.of("/bin/sh", "-c", "first=$1; second=$2; shift 2; exec \"$@\" 3<\"$first\" 4<\"$second\"", "sh"));
        command.addAll(List.of(first.toString(), second.toString()));
        command.add("bwrap");
        command.addAll(BwrapArguments.commandLine(3, 4));
        command.addAll(List.of("/bin/sh", "-c", "echo ran in $PWD"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }
}
