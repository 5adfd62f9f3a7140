package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ways out of a sandbox, each tried from inside under the layer that has to stop it. */
@Timeout(60)
class SandboxEscapeIT {
    private static final String PERL = "perl -e '$!=0; my $r=syscall(%s); print $r==-1 ? \"fail: $!\" : \"ok\"'";

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    @TempDir
    private Path workspace;

    private Start confined(String script, boolean landlock, String... grants) {
        String entry = "{\"path\":{\"type\":\"special\",\"value\":{\"kind\":\"%s\"}},\"access\":\"%s\"}";
        StringBuilder entries = new StringBuilder(entry.formatted("root", "read"));
        for (String grant : grants) {
            entries.append(',').append(grant);
        }
        String profile =
                "{\"type\":\"managed\",\"network\":\"restricted\",\"file_system\":{\"type\":\"restricted\",\"entries\":["
                        + entries + "]}}";
        String uri = "file://" + workspace;
        return Start.shell(script)
                .with("cwd", uri)
                .with(
                        "sandbox",
                        Json.object(
                                "permissions",
                                Json.parse(profile),
                                "cwd",
                                uri,
                                "workspaceRoots",
                                List.of(uri),
                                "windowsSandboxLevel",
                                "disabled",
                                "useLegacyLandlock",
                                landlock));
    }

    private static String workspaceWrite() {
        return "{\"path\":{\"type\":\"special\",\"value\":{\"kind\":\"project_roots\"}},\"access\":\"write\"}";
    }

    private String output(Start start) {
        RemoteProcess process = SERVER.client().start(start);
        process.closed();
        return new String(process.events().output(), UTF_8);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            ptrace of a foreign process     | filter      | 101,16,1,0,0        | Operation not permitted
            io_uring                        | filter      | 425,1,0             | Operation not permitted
            keyring of the user             | filter      | 250,0,-4,0          | Operation not permitted
            AF_VSOCK                        | filter      | 41,40,1,0           | Operation not permitted
            x32 numbers                     | filter      | 1073741865,2,1,0    | Function not implemented
            bpf                             | filter      | 321,0,0,0           | Operation not permitted
            joining a namespace of the host | filter      | 308,0,0             | Operation not permitted
            mounting                        | capability  | 165,(my $a="none"),(my $b="/mnt"),(my $c="tmpfs"),0,0 | Operation not permitted
            name of the host                | capability  | 170,(my $a="x"),1   | Operation not permitted
            setting the clock               | capability  | 227,0,0             | Bad address
            """)
    void systemCalls(String what, String layer, String call, String expected) {
        assertThat(output(confined(PERL.formatted(call), false, workspaceWrite())))
                .contains("fail: " + expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            core dump handler of the kernel | echo x > /proc/sys/kernel/core_pattern     | Read-only file system
            root of process 1 inside        | echo x > /proc/1/root/etc/escaped          | Read-only file system
            mapping of ids                  | echo 0 0 1 > /proc/self/uid_map            | I/O error
            device node                     | mknod d c 1 3                              | Operation not permitted
            hard link out of the workspace  | ln /etc/passwd h                           | Invalid cross-device link
            link to a place outside         | ln -s /etc l; echo x > l/escaped           | Read-only file system
            repository made by renaming     | mkdir g; mv -T g .git                      | Device or resource busy
            moving the workspace away       | mv -T "$PWD" "$PWD.moved"                | cannot move
            """)
    void files(String what, String script, String expected) {
        assertThat(output(confined(script, false, workspaceWrite()))).contains(expected);
        assertThat(Path.of("/etc/escaped")).doesNotExist();
    }

    @Test
    void noForeignProcessIsSeenOrSignalled() {
        String out = output(confined(
                "kill -0 " + SERVER.pid() + "; ls -d /proc/[0-9]* | wc -l; ls /proc/" + SERVER.pid() + " | head -1",
                false,
                workspaceWrite()));
        assertThat(out).contains("No such process");
    }

    @Test
    void noDescriptorOfTheServerIsInherited() {
        String out = output(confined("ls /proc/self/fd | tr '\\n' ' '", false));
        assertThat(out.trim()).isEqualTo("0 1 2 3"); // 3 is ls's own
    }

    @Test
    void setUserIdProgramsGainNothing() {
        assertThat(output(confined("grep -E '^(NoNewPrivs|CapBnd)' /proc/self/status", false)))
                .isEqualTo("CapBnd:\t0000000000000000\nNoNewPrivs:\t1\n");
    }

    @Test
    void abstractSocketsOfTheHostAreOutOfReach() {
        String out = output(confined(
                "perl -MSocket -e 'socket(my $s,AF_UNIX,SOCK_STREAM,0) or die; "
                        + "connect($s, pack(\"S a*\", 1, \"\\0x\")) or print \"fail: $!\"'",
                false));
        assertThat(out).isEqualTo("fail: Operation not permitted");
    }

    @Test
    @DisplayName("B38: socket pairs, threads that wake each other and children with piped input work without network")
    void socketPairs() {
        String out = output(confined(
                "perl -MSocket -e 'socketpair(my $a,my $b,AF_UNIX,SOCK_STREAM,0) or die; "
                        + "defined send($a,\"hey\",0) or die $!; recv($b,my $x,3,0); print $x; shutdown($a,1) or die $!; "
                        + "defined getpeername($a) or die $!'; echo y | cat; bash -c 'cat <(echo z)'",
                false));
        assertThat(out).isEqualTo("heyy\nz\n");
    }

    @Test
    @DisplayName("B36: git init and a directory renamed to .git are refused, and nothing is left on the host")
    void repositoriesAreNotMade() throws IOException {
        String out =
                output(confined("git init . ; mkdir x && mv -T x .git; rmdir x; echo end", false, workspaceWrite()));

        assertThat(out).contains("end").doesNotContain("Initialized");
        try (var files = Files.list(workspace)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void landlockStandsInOnRequest() {
        RemoteProcess process = SERVER.client()
                .start(confined(
                        "echo x > /tmp/escaped-landlock; chmod 700 /tmp; echo ok > /dev/null && echo null;"
                                + " truncate -s 0 /etc/hostname; kill -0 " + SERVER.pid()
                                + "; grep -E '^(NoNewPrivs|Seccomp|CapEff):' /proc/self/status; perl -MSocket -e '"
                                + "socket(my $s,AF_INET,SOCK_STREAM,0) or print \"inet: $!\\n\"'",
                        true));
        assertThat(process.started().result().get("sandboxBackend").asText()).isEqualTo("landlock");
        process.closed();
        String out = new String(process.events().output(), UTF_8);

        assertThat(out)
                .contains("null", "CapEff:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2")
                .contains("inet: Operation not permitted");
        assertThat(out.lines().filter(line -> line.contains("ermission denied") || line.contains("not permitted")))
                .hasSizeGreaterThanOrEqualTo(5);
        assertThat(Path.of("/tmp/escaped-landlock")).doesNotExist();
    }

    @Test
    void landlockRefusesWhatItWouldWeaken() {
        Answer answer = SERVER.client()
                .sendStart(confined("true", true, workspaceWrite()))
                .started();

        assertThat(answer.errorCode()).isEqualTo(-32602);
        assertThat(answer.errorMessage()).contains("incompatible with --use-legacy-landlock");
    }
}
