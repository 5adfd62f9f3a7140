package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.Program;
import dev.execserver.it.support.ServerCommand;
import dev.execserver.it.support.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers by name, by ssh and in containers: a real sshd of this user on the loopback address, and a stand-in for docker. */
@Timeout(180)
class RunOverSshIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private Path script(String name, String text) throws IOException {
        Path bin = Files.createDirectories(directory.resolve("bin"));
        Path file = Files.writeString(bin.resolve(name), "#!/bin/sh\n" + text + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return file;
    }

    private Program client(String... words) throws Exception {
        List<String> line = new ArrayList<>(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(ServerCommand.of(line)).directory(directory.toFile());
        builder.environment().put("PATH", directory.resolve("bin") + ":" + System.getenv("PATH"));
        builder.environment().put("HOME", directory.toString());
        builder.environment().remove("XDG_CONFIG_HOME");
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        Process process =
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        process.getOutputStream().close();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Program(process.exitValue(), Files.readString(out, UTF_8), Files.readString(err, UTF_8));
    }

    private Path serverThere() throws IOException {
        String state = Files.createDirectories(directory.resolve("state")).toString();
        return script(
                "server-there", "HOME=" + state + " exec " + String.join(" ", ServerCommand.of(List.of())) + " \"$@\"");
    }

    private static void exec(String... argv) throws Exception {
        assertThat(new ProcessBuilder(argv).inheritIO().start().waitFor()).isZero();
    }

    @Test
    void aProgramRunsOverSsh() throws Exception {
        Path there = serverThere();
        for (String key : List.of("host", "key")) {
            exec(
                    "ssh-keygen",
                    "-q",
                    "-t",
                    "ed25519",
                    "-N",
                    "",
                    "-f",
                    directory.resolve(key).toString());
        }
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        Path config = Files.writeString(directory.resolve("sshd"), """
                ListenAddress 127.0.0.1
                Port %d
                HostKey %2$s/host
                AuthorizedKeysFile %2$s/key.pub
                PidFile none
                StrictModes no
                UsePAM no
                PermitRootLogin yes
                """.formatted(port, directory));
        Files.writeString(
                directory.resolve("known"),
                "[127.0.0.1]:%d %s\n"
                        .formatted(
                                port,
                                Files.readString(directory.resolve("host.pub")).strip()));
        script(
                "ssh",
                "exec /usr/bin/ssh -F none -i %1$s/key -o BatchMode=yes -o UserKnownHostsFile=%1$s/known -p %2$d \"$@\""
                        .formatted(directory, port));
        if (System.getProperty("user.name").equals("root")) {
            Files.createDirectories(Path.of("/run/sshd"));
        }
        Process sshd = new ProcessBuilder("/usr/sbin/sshd", "-D", "-e", "-f", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("sshd.log").toFile())
                .start();
        try {
            await().atMost(LIMIT).until(() -> listens(port));
            String url = "ssh:" + System.getProperty("user.name") + "@127.0.0.1";
            Program ran = client(
                    "run",
                    "--url",
                    url,
                    "--server-program",
                    there.toString(),
                    "--",
                    "sh",
                    "-c",
                    "echo out; echo err >&2; exit 3");
            assertThat(ran.status()).as(ran.err()).isEqualTo(3);
            assertThat(ran.out()).isEqualTo("out\n");
            assertThat(ran.err()).isEqualTo("err\n");

            Program detached = client("run", "-d", "--url", url, "true");
            assertThat(detached.status()).isEqualTo(2);
            assertThat(detached.err()).contains("--detach needs a server that goes on");
        } finally {
            sshd.descendants().forEach(ProcessHandle::destroy);
            sshd.destroy();
            assertThat(sshd.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static boolean listens(int port) {
        try (Socket _ = new Socket("127.0.0.1", port)) {
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    @Test
    void aProgramRunsInAContainer() throws Exception {
        serverThere();
        script("docker", "echo \"$@\" >" + directory + "/docker-arguments; shift 3; exec \"$@\"");
        Path config = Files.createDirectories(directory.resolve(".config/exec-server"));
        Files.writeString(
                config.resolve("config"), "default = box\n[box]\nurl = docker:box\nserver-program = server-there\n");
        assertThat(client("run", "--", "echo", "a b")).isEqualTo(new Program(0, "a b\n", ""));
        assertThat(directory.resolve("docker-arguments")).hasContent("exec -i box server-there --listen stdio");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ssh:box", "docker:box"})
    void controlCOfTheTerminalReachesTheProgramThere(String url) throws Exception {
        serverThere();
        // Stand-ins: cat is the way to the server, which is on another machine.
        for (String way : List.of("ssh", "docker")) {
            script(way, "shift 3; cat | setsid env --default-signal=HUP,INT,QUIT \"$@\"");
        }
        Path out = directory.resolve("out");
        // A group of its own stands for the foreground group of a terminal, which gets SIGINT as a whole.
        List<String> line = new ArrayList<>(List.of("setsid", "env", "--default-signal=INT"));
        line.addAll(ServerCommand.of(List.of(
                "run",
                "--no-tty",
                "--url",
                url,
                "--server-program",
                "server-there",
                "--",
                "sh",
                "-c",
                "trap 'echo bye; exit 5' INT; echo ready; while :; do sleep 0.1; done")));
        ProcessBuilder builder = new ProcessBuilder(line).directory(directory.toFile());
        builder.environment().put("PATH", directory.resolve("bin") + ":" + System.getenv("PATH"));
        builder.environment().put("HOME", directory.toString());
        Process process = builder.redirectOutput(out.toFile())
                .redirectError(directory.resolve("err").toFile())
                .start();
        try {
            await().atMost(LIMIT).until(() -> Files.readString(out).equals("ready\n"));
            exec("kill", "-INT", "--", "-" + process.pid());
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue())
                    .as(Files.readString(directory.resolve("err")))
                    .isEqualTo(5);
            assertThat(out).hasContent("ready\nbye");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    @Test
    void controlCEndsAnSshThatDoesNotGetThrough() throws Exception {
        Path pid = directory.resolve("pid");
        script("ssh", "echo $$ >%1$s.new; mv %1$s.new %1$s; exec sleep 1000".formatted(pid));
        List<String> line = new ArrayList<>(List.of("setsid", "env", "--default-signal=INT"));
        line.addAll(ServerCommand.of(List.of("run", "--url", "ssh:box", "--", "true")));
        ProcessBuilder builder = new ProcessBuilder(line).directory(directory.toFile());
        builder.environment().put("PATH", directory.resolve("bin") + ":" + System.getenv("PATH"));
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(directory.resolve("out").toFile())
                .start();
        try {
            await().atMost(LIMIT).until(() -> Files.exists(pid));
            ProcessHandle ssh = ProcessHandle.of(
                            Long.parseLong(Files.readString(pid).strip()))
                    .orElseThrow();
            exec("kill", "-INT", "--", "-" + process.pid());
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            await().atMost(LIMIT).until(() -> !ssh.isAlive());
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    @Test
    void aNamedServerGetsTheTokenOfItsCommand() throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "the-token");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        try (ServerProcess server =
                ServerProcess.listening("--ws-auth", "capability-token", "--ws-token-file", token.toString())) {
            Path config = Files.createDirectories(directory.resolve(".config/exec-server"));
            Files.writeString(
                    config.resolve("config"),
                    "[good]\nurl = %1$s\ntoken-command = cat %2$s\n[bad]\nurl = %1$s\ntoken-command = echo wrong\n[broken]\nurl = %1$s\ntoken-command = exit 4\n"
                            .formatted(server.url(), token));
            assertThat(client("run", "-H", "good", "--", "echo", "hello")).isEqualTo(new Program(0, "hello\n", ""));
            assertThat(client("run", "-H", "bad", "--", "true").status()).isEqualTo(255);
            Program broken = client("run", "-H", "broken", "--", "true");
            assertThat(broken.err()).contains("the token command ended with status 4");
            assertThat(broken.status()).isNotZero();
        }
    }
}
