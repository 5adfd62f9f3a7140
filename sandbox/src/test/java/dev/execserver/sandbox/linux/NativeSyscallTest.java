package dev.execserver.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeSyscallTest {

    @BeforeAll
    static void load(@TempDir Path directory) throws Exception {
        assumeTrue(Architecture.current() == Architecture.X86_64, "the library exists for x86-64 only");
        Path library = directory.resolve(SyscallLibrary.FILE_NAME);
        SyscallLibrary.main(new String[] {library.toString()});

        assertThat(NativeSyscall.load(library)).isTrue();
    }

    @Test
    void resultsAreThoseOfTheKernel() {
        assertThat(NativeSyscall.call(Syscall.GETPID.number(), 0, 0, 0, 0, 0, 0))
                .isEqualTo(ProcessHandle.current().pid());
    }

    /** Uses copy_file_range(2), which takes six arguments that all have an effect here. */
    @Test
    void everyArgumentArrives(@TempDir Path directory) throws Exception {
        Path from = Files.writeString(directory.resolve("from"), "abcdefgh");
        Path to = Files.writeString(directory.resolve("to"), "--------");
        try (Fd source = FileCalls.open(bytes(from), FileCalls.O_RDONLY, 0);
                Fd target = FileCalls.open(bytes(to), FileCalls.O_WRONLY, 0);
                Scratch scratch = Scratch.take()) {
            scratch.numbers().putLong(0, 2).putLong(8, 5);
            long positions = scratch.struct().address();
            long number = Syscall.COPY_FILE_RANGE.number();

            assertThat(NativeSyscall.call(number, source.number(), positions, target.number(), positions + 8, 3, 0))
                    .isEqualTo(3);
            assertThat(Files.readString(to)).isEqualTo("-----cde");
            // Flags must be 0.
            assertThat(NativeSyscall.call(number, source.number(), positions, target.number(), positions + 8, 3, 1))
                    .isEqualTo(-Errno.EINVAL);
        }
    }

    @Test
    void errorsAreNegatedOnBothWaysToTheKernel() {
        long number = Syscall.CLOSE.number();
        try (Scratch scratch = Scratch.take()) {
            assertThat(NativeSyscall.call(number, -1, 0, 0, 0, 0, 0))
                    .isEqualTo(Libc.syscall(scratch, number, -1, 0, 0, 0, 0, 0))
                    .isEqualTo(-Errno.EBADF);
        }
    }

    @Test
    void theStacksOfTheProcessStayUnexecutable() throws Exception {
        assertThat(Files.readAllLines(Path.of("/proc/self/maps")))
                .filteredOn(line -> line.contains("[stack]"))
                .isNotEmpty()
                .allMatch(line -> line.contains("rw-p"));
    }

    @Test
    void whatIsNoLibraryIsLeftAlone(@TempDir Path directory) throws Exception {
        assertThat(NativeSyscall.load(Files.writeString(directory.resolve("libsyscall.so"), "text")))
                .isFalse();
    }

    private static byte[] bytes(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8);
    }
}
