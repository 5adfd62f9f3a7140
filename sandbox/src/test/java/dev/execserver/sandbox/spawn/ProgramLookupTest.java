package dev.execserver.sandbox.spawn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.spawn.ProgramLookup.Missing;
import dev.execserver.sandbox.spawn.ProgramLookup.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgramLookupTest {
    @TempDir
    private Path root;

    /** Makes the files; root/work is the working directory. */
    @BeforeEach
    void layOut() throws IOException {
        program("a/tool");
        program("b/tool");
        program("b/only-b");
        program("work/here");
        program("work/sub/tool");
        file("a/data");
        file("a/only-b");
        Files.createDirectories(root.resolve("a/folder"));
        program("b/folder");
        Files.createSymbolicLink(root.resolve("b/link"), Path.of("tool"));
        Files.createSymbolicLink(root.resolve("a/dangling"), Path.of("nothing"));
    }

    /** R stands for the root directory; an empty PATH stands for none. */
    @ParameterizedTest(name = "{0} in {1} is {2}")
    @CsvSource({
        "tool,        R/a:R/b,       R/a/tool",
        "tool,        R/b:R/a,       R/b/tool",
        "only-b,      R/a:R/b,       R/b/only-b",
        "folder,      R/a:R/b,       R/b/folder",
        "link,        R/b,           R/b/link",
        "dangling,    R/a,           ENOENT",
        "data,        R/a,           EACCES",
        "data,        R/a:R/b,       EACCES",
        "folder,      R/a,           EACCES",
        "missing,     R/a:R/b,       ENOENT",
        "tool,        R/none:R/a,    R/a/tool",
        "tool,        R/a/data:R/a,  R/a/tool",
        "here,        :R/a,          here",
        "here,        R/a:,          here",
        "here,        R/a::R/b,      here",
        "here,        R/a,           ENOENT",
        "tool,        sub,           sub/tool",
        "./here,      R/a,           ./here",
        "sub/tool,    R/a,           sub/tool",
        "./missing,   R/a,           ENOENT",
        "../a/data,   R/a,           EACCES",
        "R/a/tool,    none,          R/a/tool",
        "R/a/data,    none,          EACCES",
        "R/a/data/x,  none,          ENOTDIR",
        "here,        none,          here",
    })
    void namesAreFoundAsExecvpFindsThem(String name, String path, String expected) {
        String elements = path.equals("none") ? "" : rooted(path);

        assertThat(shown(ProgramLookup.resolve(rooted(name), Optional.of(elements), work())))
                .isEqualTo(rooted(expected));
    }

    @Test
    void withoutPathTheDefaultIsUsed() {
        assertThat(shown(ProgramLookup.resolve("sh", Optional.empty(), work()))).isEqualTo("/bin/sh");
    }

    @Test
    void anEmptyNameIsNotFound() {
        assertThat(shown(ProgramLookup.resolve("", Optional.of("/bin"), work())))
                .isEqualTo("ENOENT");
    }

    @Test
    void theAbsolutePathGoesThroughTheWorkingDirectory() {
        Result result = ProgramLookup.resolve("here", Optional.of(""), work());

        assertThat(result)
                .isInstanceOfSatisfying(
                        Result.Found.class,
                        found -> assertThat(text(found.absolute())).isEqualTo(root + "/work/here"));
    }

    @Test
    void whatIsMissingCanBeTold() throws IOException {
        byte[] tool = bytes(root + "/a/tool");
        byte[] nowhere = bytes(root + "/nowhere");
        Path script = program("a/script");
        Files.writeString(script, "#!/no/such/interpreter\n");

        assertThat(ProgramLookup.missing(tool, nowhere)).isEqualTo(Missing.WORKING_DIRECTORY);
        assertThat(ProgramLookup.missing(nowhere, work())).isEqualTo(Missing.PROGRAM);
        assertThat(ProgramLookup.missing(bytes(script.toString()), work())).isEqualTo(Missing.INTERPRETER);
        assertThat(ProgramLookup.checkDirectory(work())).isZero();
        assertThat(ProgramLookup.checkDirectory(tool)).isEqualTo(Errno.ENOTDIR);
        assertThat(ProgramLookup.checkDirectory(nowhere)).isEqualTo(Errno.ENOENT);
    }

    private Path program(String name) throws IOException {
        Path program = file(name);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return program;
    }

    private Path file(String name) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "");
    }

    private static String shown(Result result) {
        return switch (result) {
            case Result.Found(byte[] path, byte[] absolute) -> text(path);
            case Result.Failed(int errno) -> Errno.name(errno);
        };
    }

    private String rooted(String text) {
        return text.replaceAll("(^|:)R/", "$1" + root + "/");
    }

    private byte[] work() {
        return bytes(root + "/work");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
