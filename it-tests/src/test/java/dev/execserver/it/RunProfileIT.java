package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.Program;
import dev.execserver.it.support.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client commands and a server whose operator asks for sandboxes. */
@Timeout(120)
class RunProfileIT {
    private static final String READ_ONLY = """
            {"type":"managed","network":"restricted","file_system":{"type":"restricted","entries":[
             {"path":{"type":"special","value":{"kind":"root"}},"access":"read"}]}}
            """;

    private static final String WORKSPACE = """
            {"type":"managed","network":"restricted","file_system":{"type":"restricted","entries":[
             {"path":{"type":"special","value":{"kind":"root"}},"access":"read"},
             {"path":{"type":"special","value":{"kind":"project_roots"}},"access":"write"}]}}
            """;

    private static ServerProcess required;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() {
        required = ServerProcess.listening("--require-sandbox");
    }

    @AfterAll
    static void stop() {
        required.close();
    }

    @Test
    void runGivesTheProfileThatTheServerAsksFor() throws Exception {
        Program without = run("echo", "x");
        assertThat(without.status()).isEqualTo(1);
        assertThat(without.err())
                .startsWith("Error: this server runs nothing without a sandbox (--require-sandbox)")
                .endsWith("send a managed profile that restricts files; --profile gives one\n");

        assertThat(run("--profile", READ_ONLY, "sh", "-c", "echo x; exit 3")).isEqualTo(new Program(3, "x\n", ""));
        Path file = Files.writeString(directory.resolve("profile.json"), READ_ONLY);
        assertThat(run("--profile", file.toString(), "echo", "x")).isEqualTo(new Program(0, "x\n", ""));
        assertThat(run("--profile", "{", "echo").err())
                .startsWith("Error: the permission profile of --profile cannot be");
    }

    @Test
    void profilesOfTheServerAreNamed() throws Exception {
        Path workspace = Files.createDirectory(directory.resolve("named"));
        // a file of the working directory must not stand in for a name
        assertThat(run("--profile", "pom.xml", "true").err()).contains("`[permissions]` table");
        assertThat(run("--profile", ":read-only", "sh", "-c", "echo x >" + workspace + "/f || echo denied")
                        .out())
                .isEqualTo("denied\n");
        assertThat(run("--profile", ":workspace", "--cwd", workspace.toString(), "sh", "-c", "echo x >f")
                        .status())
                .isZero();
        assertThat(workspace.resolve("f")).hasContent("x\n");
    }

    @Test
    void theWorkingDirectoryIsTheWorkspaceOfTheProfile() throws Exception {
        Path workspace = Files.createDirectory(directory.resolve("ws"));

        Program program = run(
                "--profile",
                WORKSPACE,
                "--cwd",
                workspace.toString(),
                "sh",
                "-c",
                "echo x >f; echo x >../g || echo denied");

        assertThat(program.out()).isEqualTo("denied\n");
        assertThat(workspace.resolve("f")).hasContent("x\n");
        assertThat(directory.resolve("g")).doesNotExist();
    }

    @Test
    void copyingNeedsAnotherWayAndSaysWhich() throws Exception {
        Path file = Files.writeString(directory.resolve("f"), "content");

        Program copy = Program.run(directory, "", "cp", "--url", url(), ":" + file, directory + "/g");
        assertThat(copy.status()).isEqualTo(1);
        assertThat(copy.err())
                .startsWith("Error: :" + file + ": this server touches no file without a sandbox (--require-sandbox)")
                .endsWith("`exec-server cp` cannot send one: copy with `exec-server run --profile ... -- cat`\n");
        assertThat(run("--profile", READ_ONLY, "--", "cat", file.toString())).isEqualTo(new Program(0, "content", ""));
    }

    private static String url() {
        return required.url().toString();
    }

    private Program run(String... arguments) {
        String[] line = new String[arguments.length + 3];
        line[0] = "run";
        line[1] = "--url";
        line[2] = url();
        System.arraycopy(arguments, 0, line, 3, arguments.length);
        return Program.run(directory, "", line);
    }
}
