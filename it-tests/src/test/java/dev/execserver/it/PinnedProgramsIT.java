package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.DistributionCopy;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * C53: programs that the server runs outside of sandboxes are none that a command could have put there or changed, under whatever
 * profile. The server of this class is root's; {@link PinnedProgramsAsUserIT} tries the same as an ordinary user.
 */
@Timeout(180)
class PinnedProgramsIT {
    private DistributionCopy copy;
    private Path home;
    private Path bin;
    private Path workspace;
    private Path trace;
    private ServerProcess server;
    private WireClient client;

    /** What starts the server as another user; nothing for root's. */
    List<String> prefix() {
        return List.of();
    }

    @BeforeEach
    void makeScene() throws IOException {
        copy = DistributionCopy.create("pinned-programs-");
        home = directory("home");
        bin = directory("home/bin");
        workspace = directory("ws");
        trace = copy.folder().resolve("was-run");
    }

    private Path directory(String name) throws IOException {
        Path made = Files.createDirectory(copy.folder().resolve(name));
        return Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @AfterEach
    void stop() {
        if (client != null) {
            client.close();
            server.close();
        }
        copy.close();
    }

    private void start(String... options) {
        server = copy.start(() -> ServerProcess.listening(
                prefix(), Map.of("PATH", bin + ":/usr/bin:/bin", "HOME", home.toString()), options));
        client = WireClient.connect(server.port());
        client.handshake();
        client.call("sandbox/status").result(); // the examination of the machine is over
    }

    /** A script that tells that it was run without a sandbox, and does the work of the real one. */
    private String spy(String name) {
        return "printf '%%s\\n' '#!/bin/sh' 'echo outside >>%1$s' 'exec /usr/bin/%2$s \"$@\"' >%3$s/%2$s.new; "
                        .formatted(trace, name, bin)
                + "chmod 755 %2$s/%1$s.new; mv %2$s/%1$s.new %2$s/%1$s".formatted(name, bin);
    }

    private void plant(String name) throws IOException {
        Path program = Files.writeString(
                bin.resolve(name), "#!/bin/sh\necho outside >>%s\nexec /usr/bin/%s \"$@\"\n".formatted(trace, name));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    private void install(String name) throws IOException {
        Path program = Files.copy(Path.of("/usr/bin", name), bin.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    private RemoteProcess run(String script, ObjectNode policy) {
        RemoteProcess process = client.start(
                Start.shell(script).with("cwd", workspace.toUri().toString()).with("sandbox", policy));
        process.closed();
        return process;
    }

    /** The profile of the first command: it may write where the programs lie. */
    private RemoteProcess attack(String script) {
        return run(
                script,
                Policies.of(
                        workspace,
                        Policies.entry("root", "read"),
                        Policies.entry("project_roots", "write"),
                        Policies.entry(bin, "write")));
    }

    /** The second command, with another profile: its globs are searched with ripgrep, its view is built by bubblewrap. */
    private void victim() throws IOException {
        Files.writeString(workspace.resolve("k.env"), "secret");
        RemoteProcess process = run(
                "cat k.env; echo ran",
                Policies.of(
                        workspace,
                        Policies.entry("root", "read"),
                        Policies.entry("project_roots", "write"),
                        Policies.denied("**/*.env")));
        assertThat(process.text()).contains("Permission denied", "ran").doesNotContain("secret");
        client.call("fs/search", "path", workspace.toUri().toString(), "pattern", "secret")
                .result();
        assertThat(trace).doesNotExist();
    }

    @Test
    void c53_programsThatACommandReplacesAreNotRun() throws IOException {
        install("rg");
        install("bwrap");
        start();
        RemoteProcess attacker = attack(spy("rg") + "; " + spy("bwrap") + "; ls -I HEAD " + bin);

        assertThat(attacker.text()).isEqualTo("bwrap\nrg\n");
        assertThat(bin.resolve("rg")).content().startsWith("#!/bin/sh");
        victim();
    }

    @Test
    void c53_programsThatACommandOverwritesInPlaceAreNotRun() throws IOException {
        install("rg");
        install("bwrap");
        start("--bwrap", bin.resolve("bwrap").toString());
        for (String name : List.of("rg", "bwrap")) {
            RemoteProcess attacker = run(
                    "cat %1$s/%2$s >/dev/null && echo read".formatted(bin, name), Policies.workspaceWrite(workspace));
            assertThat(attacker.text()).isEqualTo("read\n");
            plant(name); // as a command of another server of this user would
        }
        victim();
    }

    @Test
    void c53_programsThatWerePlantedBeforeTheStartAreNotRun() throws IOException {
        plant("rg");
        plant("bwrap");
        start();

        victim();
        assertThat(client.call("sandbox/status").result().toString())
                .contains(bin + "/bwrap is not used: ", "name it with --bwrap");
    }

    @Test
    void c53_theBubblewrapThatTheOperatorNamesRunsFromMemory() throws IOException {
        install("bwrap");
        start("--bwrap", bin.resolve("bwrap").toString());
        RemoteProcess first = run("tr '\\0' ' ' </proc/1/cmdline", Policies.workspaceWrite(workspace));
        assertThat(first.text()).startsWith("bwrap --preload /proc/" + server.pid() + "/fd/");

        Files.delete(bin.resolve("bwrap"));
        RemoteProcess second = run("echo ran", Policies.workspaceWrite(workspace));
        assertThat(second.text()).isEqualTo("ran\n");
    }

    @Test
    void noCommandChangesWhatTheServerRunsFrom() {
        start();
        Path dist = copy.folder().resolve("dist");
        String script =
                "exec 2>&1; cd %1$s; for f in exec-server.jar helper.jar bin/launcher.sh lib/bwrap; do echo x >>dist/$f; done; "
                                .formatted(copy.folder())
                        + "mkdir dist/runtime; mv dist/bin dist/other; mv dist elsewhere; rm -rf dist/lib; rm dist/helper.jar; ls -d dist dist/*";
        for (String access : List.of("read", "write")) {
            RemoteProcess process = run(
                    script,
                    access.equals("write")
                            ? Policies.of(workspace, Policies.entry("root", "write"))
                            : Policies.of(
                                    workspace, Policies.entry("root", "read"), Policies.entry(copy.folder(), "write")));
            assertThat(process.text())
                    .contains(
                            "'dist/helper.jar': Read-only file system",
                            "'dist' to 'elsewhere': Device or resource busy")
                    .contains("\ndist/exec-server.jar\n", "\ndist/helper.jar\n", "\ndist/lib\n")
                    .doesNotContain("dist/runtime\n");
        }
        String refused = client.sendStart(Start.shell("true")
                        .with("cwd", workspace.toUri().toString())
                        .with(
                                "sandbox",
                                Policies.of(workspace, Policies.entry("root", "read"), Policies.entry(dist, "write"))))
                .started()
                .errorMessage();
        assertThat(refused).contains("the server runs from " + dist + "; no command may change that");
    }
}
