package dev.execserver.sandbox.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.FileCalls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests of the guardian's script beside another server of the user, which removes and makes placeholders of the same names at the
 * worst moments: right before a chosen program that the script runs. Both keep to the locks.
 */
@Timeout(60)
class GuardianRaceTest {
    /** Prefix of marks that no server has: those have nine digits. */
    private static final String NO_MARKS = "12345";

    private static final int MARKED = 01555;

    /** The last user of the old placeholder removes it, and the next command of that server needs a new one. */
    private static final String OTHER_SERVER = """
            exec 7<old-one || exit 0
            /usr/bin/flock -n 7 || exit 0
            %s name 2>/dev/null || exit 0
            %s name
            /usr/bin/touch exchanged
            """;

    private final Ledger ledger = Ledger.create();

    @TempDir
    private Path base;

    @AfterEach
    void close() {
        ledger.close();
    }

    @ParameterizedTest(name = "{0}, before call {2} of {1}")
    @CsvSource({
        "directory, stat, 1, true",
        "directory, stat, 2, true",
        "directory, flock, 1, true",
        "directory, rmdir, 1, false",
        "file, stat, 1, true",
        "file, flock, 1, true",
        "file, stat, 2, false",
        "file, rm, 1, false"
    })
    void theNewPlaceholderOfAnotherServerStays(String kind, String program, int call, boolean unlocked)
            throws Exception {
        boolean directory = kind.equals("directory");
        Path workspace = Files.createDirectory(base.resolve("ws"));
        Path name = workspace.resolve("name");
        make(name, directory);
        ledger.add(Ledger.Kind.PLACEHOLDER, bytes(name), FileCalls.status(bytes(name), false));
        Files.createSymbolicLink(workspace.resolve("old-one"), name);
        String exchange = OTHER_SERVER.formatted(
                directory ? "/usr/bin/rmdir" : "/usr/bin/rm", directory ? "/usr/bin/mkdir -m 1755" : "/usr/bin/touch");
        guardianRuns(program, call, "cd '" + workspace + "' && (" + exchange + ")");
        boolean exchanged = Files.exists(workspace.resolve("exchanged"));
        assertThat(Files.exists(name))
                .as("there is a placeholder exactly when another server needs it")
                .isEqualTo(exchanged);
        assertThat(exchanged).as("the guardian had no lock yet").isEqualTo(unlocked);
    }

    private static void make(Path path, boolean directory) {
        if (directory) {
            EntryCalls.makeDirectory(bytes(path), MARKED);
        } else {
            EntryCalls.makeFile(bytes(path), 01444);
        }
    }

    /** Runs the script as the guardian does, with a program on the PATH that does something else first, once. */
    private void guardianRuns(String program, int call, String first) throws IOException, InterruptedException {
        Path tools = Files.createDirectory(base.resolve("tools"));
        Path calls = base.resolve("calls");
        Path tool = Files.writeString(tools.resolve(program), """
                #!/bin/sh
                echo >>'%1$s'
                [ $(/usr/bin/wc -l <'%1$s') != %2$d ] || (%3$s) </dev/null >/dev/null 2>&1
                exec /usr/bin/%4$s "$@"
                """.formatted(calls, call, first, program));
        Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path lines = Files.write(base.resolve("ledger"), ledger.lines());
        ProcessBuilder builder = new ProcessBuilder(List.of(
                "/bin/sh",
                "-c",
                "exec 3<\"$1\"; exec /bin/sh -c \"$2\" guardian \"$3\"",
                "start",
                lines.toString(),
                GuardianScript.TEXT,
                NO_MARKS));
        builder.environment().put("PATH", tools + ":/usr/bin:/bin");
        builder.redirectInput(Path.of("/dev/null").toFile());
        Process process = builder.redirectErrorStream(true).start();
        assertThat(process.getInputStream().readAllBytes()).asString().isEmpty();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    private static byte[] bytes(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8);
    }
}
