package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.Program;
import dev.execserver.it.support.ServerCommand;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.SharedServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the client commands do when something is not as they expect it. */
@Timeout(120)
class RunCommandFaultsIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String COUNTING = "trap 'echo interrupted' INT; i=0; while :; do i=$((i+1)); sleep 0.1; done";

    @TempDir
    private Path directory;

    @Test
    void aFullDiskIsNoBrokenPipe() throws Exception {
        assertThat(redirected(">/dev/full", "--", "echo", "x"))
                .isEqualTo(new Program(
                        1, "", "Error: the output cannot be written: No space left on device (os error 28)\n"));
        assertThat(redirected("| head -n 1; exit ${PIPESTATUS[0]}", "--", "yes"))
                .isEqualTo(new Program(141, "y\n", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"C", "C.UTF-8"})
    void c07_argumentsAndVariablesAreExactInEveryLocale(String locale) throws Exception {
        String show = "$'V=\\xc3\\xa9' -- sh -c 'printf %s \"$V$1\"' x $'\\xe2\\x82\\xac' | od -An -tx1";
        assertThat(typed("LC_ALL=" + locale + " \"$@\" --env " + show, "run", "--url", url()))
                .isEqualTo(new Program(0, " c3 a9 e2 82 ac\n", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"C", "C.UTF-8"})
    void c07_anArgumentThatIsNotUtf8IsRefused(String locale) throws Exception {
        assertThat(typed("LC_ALL=" + locale + " \"$@\" printf %s $'caf\\xe9'", "run", "--url", url()))
                .isEqualTo(new Program(
                        1,
                        "",
                        "Error: the argument `caf\\xe9` is not UTF-8 and cannot be passed on as it is; hand such bytes over in a"
                                + " file or through standard input\n"));
    }

    @Test
    void c07_filesAreCopiedByTheirBytesInEveryLocale() throws Exception {
        String there = ":" + directory;
        Program copied = typed(
                "set -e; export LC_ALL=C; echo x >$'f\\xff'; \"$@\" $'f\\xff' $'" + there + "/\\xc3\\xa9'; \"$@\" $'"
                        + there + "/\\xc3\\xa9' $'g\\xe9'; cat $'g\\xe9' $'\\xc3\\xa9'",
                "cp",
                "--url",
                url());
        assertThat(copied).isEqualTo(new Program(0, "x\nx\n", ""));
    }

    @Test
    void c08_everyOutputThatCannotBeWrittenIsSaid() throws Exception {
        for (List<String> line :
                List.of(List.of("cp", "--url", url(), ":/etc/passwd", "-"), List.of("--help"), List.of("--version"))) {
            Program full = shell(">/dev/full", command(line.toArray(String[]::new)));
            assertThat(full.status()).isEqualTo(1);
            assertThat(full.err()).hasLineCount(1).contains("No space left on device (os error 28)");
        }
    }

    @Test
    void anInputThatCannotBeReadIsAFailure() throws Exception {
        assertThat(redirected("</", "cat"))
                .isEqualTo(new Program(1, "", "Error: the input cannot be read: Is a directory (os error 21)\n"));
    }

    @Test
    void aProgramThatIsNotThereOrNotExecutableHasTheStatusOfAShell() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "no program");

        assertThat(run("nosuch").status()).isEqualTo(127);
        assertThat(run(file.toString()).status()).isEqualTo(126);
        assertThat(run("--cwd", "/nowhere", "ls"))
                .isEqualTo(new Program(
                        1, "", "Error: working directory `/nowhere`: No such file or directory (os error 2)\n"));
    }

    @Test
    void aStrictServerCannotBeToldTheEndOfTheInput() throws Exception {
        try (ServerProcess strict = ServerProcess.listening("--protocol", "strict")) {
            String url = strict.url().toString();
            Program piped = Program.run(directory, "input", "run", "--url", url, "cat");
            assertThat(piped.status()).isEqualTo(1);
            assertThat(piped.err()).startsWith("Error: the server cannot be told where the input ends");

            List<String> line = command("run", "--url", url, "sh", "-c", "cat; echo done");
            assertThat(shell("</dev/null", line)).isEqualTo(new Program(0, "done\n", ""));
            assertThat(shell("</dev/null", command("run", "--url", url, "nosuch"))
                            .status())
                    .isEqualTo(127);
        }
    }

    @Test
    void aSessionThatIsInUseIsSaidWithTheRemedy() {
        Program.Running first = start("--verbose", "--", "sh", "-c", "echo ready; cat");
        await().atMost(LIMIT).until(() -> first.out().contains("ready"));
        String session = first.err().split(" ")[1];

        Program ps = Program.run(directory, "", "ps", "--url", url(), "--session", session);
        assertThat(ps.status()).isEqualTo(255);
        assertThat(ps.err())
                .isEqualTo("Error: " + url() + " refuses: session " + session + " is already attached to another "
                        + "connection; --takeover takes the session and ends that client\n");
        first.endInput();
        assertThat(first.end().status()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"TERM, 143", "HUP, 129", "KILL, 137"})
    void theEndOfAttachLeavesTheProgramRunning(String signal, int status) {
        Program.Running attached = attach(COUNTING);

        attached.signal(signal);
        assertThat(attached.end().status()).isEqualTo(status);
        assertThat(attached.out()).isEqualTo("ready\n");
        assertThat(processes(attached.err())).containsPattern("run +[0-9]+ running");
    }

    @Test
    void aReaderOfAttachThatGoesAwayLeavesTheProgramRunning() throws Exception {
        Program.Running first = start("--verbose", "--", "sh", "-c", "while :; do echo line; sleep 0.05; done");
        await().atMost(LIMIT).until(() -> first.out().contains("line"));
        String session = first.err().split(" ")[1];
        first.signal("KILL");

        Program attached = shell(
                "| head -n 2; exit ${PIPESTATUS[0]}", command("attach", "--url", url(), "--session", session, "run"));
        assertThat(attached).isEqualTo(new Program(141, "line\nline\n", ""));
        assertThat(processes("session " + session + ";")).containsPattern("run +[0-9]+ running");
    }

    @Test
    void aServerThatWasRestartedHasLostTheProgramForGood() {
        ServerProcess server = ServerProcess.listening();
        String url = server.url().toString();
        Program.Running running =
                Program.start(directory, "run", "--url", url, "--", "sh", "-c", "echo ready; sleep 60");
        await().atMost(LIMIT).until(() -> running.out().contains("ready"));
        server.killHard();

        try (ServerProcess _ = ServerProcess.launched("--listen", url)) {
            Program ended = running.end();
            assertThat(ended.status()).isEqualTo(255);
            assertThat(ended.err())
                    .startsWith("Error: session ")
                    .contains(
                            "is gone, and its processes with it: the server answers again, but does not know it any more")
                    .doesNotContain("attach");
        }
    }

    @Test
    void aWrongUrlIsSaidWithTheRemedy() {
        Program refused = Program.run(directory, "", "run", "--url", "ws://127.0.0.1:1", "echo");
        assertThat(refused.status()).isEqualTo(255);
        assertThat(refused.err())
                .startsWith("Error: cannot connect to ws://127.0.0.1:1: Connection refused; does a server run there?")
                .endsWith("--url or EXEC_SERVER_URL\n");

        String encrypted = url().replace("ws://", "wss://");
        assertThat(Program.run(directory, "", "run", "--url", encrypted, "echo").err())
                .isEqualTo("Error: cannot connect to " + encrypted
                        + ": the server does not speak TLS; its URL begins with ws://\n");
    }

    @Test
    void sigintOfAttachGoesToTheProgram() {
        Program.Running attached = attach("trap 'echo last words; exit 9' INT; while :; do sleep 0.05; done");

        attached.signal("INT");
        Program ended = attached.end();
        assertThat(ended.out()).endsWith("last words\n");
        assertThat(ended.status()).isEqualTo(9);
    }

    @Test
    void aProgramThatTakesSigintAndGoesOnIsLeftRunning() {
        Program.Running attached = attach(COUNTING);

        attached.signal("INT");
        Program ended = attached.end();
        assertThat(ended.out()).endsWith("interrupted\n");
        assertThat(ended.status()).isEqualTo(130);
        assertThat(processes(ended.err())).containsPattern("run +[0-9]+ running");
    }

    @Test
    void aPrivateAuthorityIsNamedWithItsFile() throws Exception {
        Path key = directory.resolve("key.pem");
        Path cert = directory.resolve("cert.pem");
        Process openssl = new ProcessBuilder(
                        "openssl",
                        "req",
                        "-x509",
                        "-newkey",
                        "rsa:2048",
                        "-nodes",
                        "-days",
                        "2",
                        "-subj",
                        "/CN=it",
                        "-addext",
                        "subjectAltName=IP:127.0.0.1",
                        "-keyout",
                        key.toString(),
                        "-out",
                        cert.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("openssl").toFile())
                .start();
        assertThat(openssl.waitFor()).isZero();
        try (ServerProcess server = ServerProcess.launched(
                "--listen", "wss://127.0.0.1:0", "--tls-cert", cert.toString(), "--tls-key", key.toString())) {
            String url = server.url().toString();

            assertThat(Program.run(directory, "", "run", "--url", url, "--ca-file", cert.toString(), "echo", "x"))
                    .isEqualTo(new Program(0, "x\n", ""));
            Program untrusted = Program.run(directory, "", "run", "--url", url, "echo", "x");
            assertThat(untrusted.status()).isEqualTo(255);
            assertThat(untrusted.err())
                    .startsWith("Error: cannot connect to " + url + ": its certificate was signed by no authority")
                    .contains("--ca-file")
                    .doesNotContain("PKIX");
            String plain = url.replace("wss://", "ws://");
            assertThat(Program.run(directory, "", "run", "--url", plain, "echo", "x")
                            .err())
                    .startsWith("Error: cannot connect to " + plain)
                    .endsWith("; the URL of a server with TLS begins with wss://\n");
            Program noFile = Program.run(directory, "", "run", "--url", url, "--ca-file", "/none", "echo", "x");
            assertThat(noFile)
                    .isEqualTo(new Program(
                            1,
                            "",
                            "Error: cannot read the certificates in /none: No such file or directory (os error 2); --ca-file or "
                                    + "EXEC_SERVER_CA_FILE names the file\n"));
        }
    }

    /** A process whose client was killed, with another client attached to it that says so. */
    private Program.Running attach(String script) {
        Program.Running first = start("--verbose", "--", "sh", "-c", "echo ready; " + script);
        await().atMost(LIMIT).until(() -> first.out().contains("ready"));
        String session = first.err().split(" ")[1];
        first.signal("KILL");
        Program.Running attached =
                Program.start(directory, "attach", "--verbose", "--url", url(), "--session", session, "run");
        await().atMost(LIMIT).until(() -> attached.out().contains("ready"));
        assertThat(attached.err()).startsWith("attached to process run of session " + session + "; ");
        return attached;
    }

    private String processes(String attachedErr) {
        String session = attachedErr.split("session ")[1].split(";")[0];
        Program ps = Program.run(directory, "", "ps", "--url", url(), "--session", session, "--takeover");
        assertThat(Program.run(directory, "", "kill", "--url", url(), "--session", session, "--takeover", "run")
                        .status())
                .isZero();
        return ps.out();
    }

    private static String url() {
        return SERVER.process().url().toString();
    }

    private Program run(String... arguments) {
        Program.Running running = start(arguments);
        running.endInput();
        return running.end();
    }

    private Program.Running start(String... arguments) {
        List<String> line = new ArrayList<>(List.of("run", "--url", url()));
        line.addAll(Arrays.asList(arguments));
        return Program.start(directory, line.toArray(String[]::new));
    }

    private Program redirected(String redirection, String... arguments) throws Exception {
        List<String> line = new ArrayList<>(List.of("run", "--url", url()));
        line.addAll(Arrays.asList(arguments));
        return shell(redirection, command(line.toArray(String[]::new)));
    }

    private static List<String> command(String... line) {
        return ServerCommand.of(Arrays.asList(line));
    }

    private Program shell(String redirection, List<String> line) throws Exception {
        return script("\"$@\" " + redirection, line);
    }

    /** A script in which {@code "$@"} is the command. */
    private Program typed(String script, String... line) throws Exception {
        return script(script, command(line));
    }

    private Program script(String script, List<String> line) throws Exception {
        List<String> words = new ArrayList<>(List.of("bash", "-c", script, "bash"));
        words.addAll(line);
        Path out = Files.createTempFile(directory, "out", "");
        Path err = Files.createTempFile(directory, "err", "");
        Process process = new ProcessBuilder(words)
                .directory(directory.toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        return new Program(process.waitFor(), Files.readString(out), Files.readString(err));
    }
}
