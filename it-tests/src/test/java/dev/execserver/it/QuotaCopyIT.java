package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.Answer;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code fs/copy} that reaches the user's quota in the middle of a file. Few kernels have quotas for a file system that a test can
 * make, so a system call filter around the server answers EDQUOT to all writes beyond the first MiB.
 */
@Timeout(120)
class QuotaCopyIT {
    private static final int ALLOWED = 1 << 20;

    /** Arguments: numbers of prctl(2), copy_file_range(2) and pwrite64(2), then the command. See seccomp(2). */
    private static final String FILTER = """
            my ($prctl, $range, $write) = splice @ARGV, 0, 3;
            my @code = ([0x20, 0, 0, 0], [0x15, 0, 1, $range], [0x06, 0, 0, 0x50000 | 18], [0x15, 0, 3, $write],
                [0x20, 0, 0, 40], [0x35, 0, 1, %d], [0x06, 0, 0, 0x50000 | 122], [0x06, 0, 0, 0x7fff0000]);
            my $filter = join '', map { pack 'SCCL', @$_ } @code;
            my $program = pack 'S x![P] P', scalar @code, $filter;
            syscall($prctl, 38, 1, 0, 0, 0) == 0 && syscall($prctl, 22, 2, $program) == 0 or die $!;
            exec @ARGV or die $!;
            """.formatted(ALLOWED);

    @TempDir(factory = VarTmp.class)
    private Path folder;

    @Test
    void theFileIsNamedThatIsNotCompleteAndTheSourceIsWhole() throws IOException {
        byte[] content = "x".repeat(3 * ALLOWED).getBytes(StandardCharsets.US_ASCII);
        Path big = Files.write(folder.resolve("big"), content);
        Path copy = folder.resolve("copy");
        try (ServerProcess server = ServerProcess.listening(filtered(), Map.of());
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            Answer answer =
                    client.call("fs/copy", "sourcePath", uri(big), "destinationPath", uri(copy), "recursive", false);

            assertThat(answer.failed()).isTrue();
            assertThat(answer.errorMessage()).isEqualTo("Disk quota exceeded (os error 122)");
            assertThat(answer.error().path("data").path("path").textValue()).isEqualTo(copy.toString());
            assertThat(copy).as("it has the beginning of the content").hasSize(ALLOWED);
            assertThat(big).hasBinaryContent(content);
            client.call("fs/writeFile", "path", uri(copy), "dataBase64", "eA==").result();
            assertThat(copy).hasContent("x");
        }
    }

    private static String uri(Path path) {
        return path.toUri().toString();
    }

    private static List<String> filtered() {
        List<String> numbers = System.getProperty("os.arch").equals("aarch64")
                ? List.of("167", "285", "68")
                : List.of("157", "326", "18");
        return List.of("/usr/bin/perl", "-e", FILTER, numbers.get(0), numbers.get(1), numbers.get(2));
    }
}
