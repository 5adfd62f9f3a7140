package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.Policies;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.VarTmp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Ways out of a sandbox, one a row: what a command tries, which layer keeps it from that, and what it sees. {@code allowed} rows are
 * those that SECURITY.md does not promise.
 */
@Timeout(180)
class SandboxEscapeRowsIT {
    private static final String CALL = "perl -e '%s $!=0; my $r=syscall(%s); print $r==-1 ? \"fail: $!\" : \"ok\"'";

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    @TempDir(factory = VarTmp.class)
    private Path base;

    private Path workspace;

    @BeforeEach
    void make() throws IOException {
        workspace = Files.createDirectory(base.resolve("ws"));
        Files.writeString(workspace.resolve("denied"), "s3cret\n");
        Files.createLink(workspace.resolve("before"), workspace.resolve("denied"));
        Files.writeString(base.resolve("outside"), "untouched");
    }

    private Start confined(String script) {
        return Start.shell(script)
                .with("cwd", workspace.toUri().toString())
                .with(
                        "sandbox",
                        Policies.of(
                                workspace,
                                Policies.entry("root", "read"),
                                Policies.entry("project_roots", "write"),
                                Policies.entry(workspace.resolve("denied"), "deny")));
    }

    private String output(Start start) {
        RemoteProcess process = SERVER.client().start(start);
        process.closed(Duration.ofSeconds(60));
        return new String(process.events().output(), UTF_8);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            entering another network namespace   | capability | open(F,"<","/proc/self/ns/net"); | 308,fileno(F),0 | Operation not permitted
            opening files by handle              | capability | my $p=pack("LLx120",8,1);   | 304,-100,$p,0       | Operation not permitted
            another root directory               | capability | my $p="/tmp";               | 161,$p              | Operation not permitted
            restarting the machine               | capability | ;                           | 169,0,0,0           | Operation not permitted
            setting the clock                    | capability | my $p=pack("qq",1,0);       | 227,0,$p            | Operation not permitted
            memory of another process            | filter     | ;                           | 310,1,0,0,0,0,0     | Operation not permitted
            counters of the processor            | filter     | ;                           | 298,0,0,0,0,0       | Operation not permitted
            page faults by hand                  | filter     | ;                           | 323,0               | Operation not permitted
            a socket of the network              | filter     | ;                           | 41,2,1,0            | Operation not permitted
            packets of the link                  | filter     | ;                           | 41,17,3,0           | Operation not permitted
            """)
    void systemCalls(String what, String layer, String before, String call, String expected) {
        assertThat(output(confined(CALL.formatted(before, call)))).contains("fail: " + expected);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            memory and messages of the kernel | mounts     | cat /dev/mem /dev/kmsg                    | No such file or directory
            keys of the kernel                | mounts     | echo h > /proc/sysrq-trigger              | cannot create
            control groups                    | mounts     | echo $$ > /sys/fs/cgroup/cgroup.procs     | Read-only file system
            settings in sysfs                 | mounts     | echo 1 > /sys/kernel/profiling            | cannot create
            hard link made afterwards         | mounts     | ln denied after                           | Invalid cross-device link
            renaming what is masked           | mounts     | mv denied other                           | Device or resource busy
            removing what is masked           | mounts     | rm -f denied                              | Device or resource busy
            giving a file to another user     | user namespace | touch f; chown 65534 f                | Invalid argument
            a faster process                  | capability | renice -n -5 $$                           | Permission denied
            a loop device                     | mounts     | ls /dev/loop0                             | No such file or directory
            """)
    void filesAndProcesses(String what, String layer, String script, String expected) {
        assertThat(output(confined(script))).contains(expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            typing for the user (TIOCSTI)       | perl -e 'ioctl(STDIN,0x5412,my $x="x") or print "fail: $!"'
            pasting on a console (TIOCLINUX)    | perl -e 'ioctl(STDIN,0x541c,my $x="\\3") or print "fail: $!"'
            upper half of the request set       | perl -e 'my $r=syscall(16,0,0x100005412,my $x="x"); print $r==-1 ? "fail: $!" : "ok"'
            """)
    void terminals(String what, String script) {
        assertThat(output(confined(script).tty())).contains("fail: Operation not permitted");
    }

    @Test
    void aNamespaceInsideOfTheSandboxTakesNoMaskAway() {
        String out = output(
                confined(
                        "unshare -Urm sh -c 'umount \"$PWD\"/denied; mount -o remount,bind,rw /; "
                                + "umount /proc/sys; cat denied; echo x > /etc/escaped; echo x > /proc/sys/kernel/core_pattern'; echo end"));

        assertThat(out).contains("end").doesNotContain("s3cret");
        assertThat(Path.of("/etc/escaped")).doesNotExist();
    }

    @Test
    void theFirstProcessInsideHasNothingToTakeOver() {
        RemoteProcess process = SERVER.client()
                .start(
                        confined(
                                "readlink /proc/1/fd/* | grep -v -e '^pipe' -e '^/dev/null' -e eventfd; kill -9 1; sleep 0.2; "
                                        + "echo alive; for f in /proc/1/fd/*; do echo '{ \"exit-code\": 55 }' > $f; done 2>/dev/null; exit 3"));
        process.closed(Duration.ofSeconds(60));

        assertThat(process.exited().exitCode()).isEqualTo(3);
        assertThat(new String(process.events().output(), UTF_8).lines().filter(line -> !line.contains("exit-code")))
                .containsExactly("alive");
    }

    @Test
    void aHardLinkMadeBeforeIsReadable() {
        assertThat(output(confined("cat before")))
                .as("allowed, see SECURITY.md")
                .isEqualTo("s3cret\n");
    }

    @Test
    void linksThatAreSwappedLeadNowhereElse() throws IOException {
        String out = output(confined("mkdir d; touch d/outside; end=$(($(date +%s) + 3)); "
                + "(while [ $(date +%s) -lt $end ]; do ln -sfn .. l; ln -sfn d l; done) & "
                + "while [ $(date +%s) -lt $end ]; do echo x > l/outside; mv -f l/outside l/moved; touch d/outside; done 2>/dev/null; "
                + "wait; echo end"));

        assertThat(out).contains("end");
        assertThat(base.resolve("outside")).hasContent("untouched");
        assertThat(base.resolve("moved")).doesNotExist();
    }

    @Test
    void aRaceForAProtectedNameMakesNoRepository() throws IOException {
        String out = output(confined("end=$(($(date +%s) + 2)); mkdir g h; "
                + "(while [ $(date +%s) -lt $end ]; do rmdir .git; mv -T h .git; done) 2>/dev/null & "
                + "while [ $(date +%s) -lt $end ]; do mv -T g .git; mkdir .git/hooks; done 2>/dev/null; wait; "
                + "ls -d .git/hooks; echo end"));

        assertThat(out).contains("end", "No such file");
        assertThat(workspace.resolve(".git")).doesNotExist();
    }
}
