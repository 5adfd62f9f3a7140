package dev.execserver.it;

import static dev.execserver.it.support.Policies.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.OwnMounts;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.Start;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Views that are put together from nothing: what of the system is in them, and what can be written there. */
@Timeout(180)
abstract class SandboxViewCases {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** As on a machine with systemd-resolved, and with a time zone and certificates that are kept elsewhere. */
    private static final String SETUP = """
            cp -a /etc etc
            rm -rf etc/resolv.conf etc/localtime etc/hosts etc/nsswitch.conf
            ln -s ../run/systemd/resolve/stub-resolv.conf etc/resolv.conf
            ln -s /usr/share/zoneinfo/Etc/UTC etc/localtime
            ln -s /run/names/hosts etc/hosts
            ln -s /run/names/secret etc/nsswitch.conf
            mount --bind etc /etc
            mount -t tmpfs -o mode=755 tmpfs /run
            mkdir -p /run/systemd/resolve /run/names
            echo 'nameserver 192.0.2.53' >/run/systemd/resolve/stub-resolv.conf
            echo other >/run/systemd/resolve/other
            echo '192.0.2.1 somewhere' >/run/names/hosts
            echo secret >/run/names/secret
            """;

    private static OwnMounts stand;
    private static Path workspace;

    static void start(List<String> user) {
        stand = OwnMounts.start(SETUP, user);
        workspace = stand.folder("ws");
    }

    @AfterAll
    static void stop() {
        stand.close();
    }

    private static ObjectNode withNetwork(ObjectNode sandbox) {
        ((ObjectNode) sandbox.get("permissions")).put("network", "enabled");
        return sandbox;
    }

    private static ObjectNode minimal() {
        return Policies.of(workspace, entry("minimal", "read"), entry("project_roots", "write"));
    }

    private static String output(ObjectNode sandbox, String script) {
        RemoteProcess process = stand.client()
                .start(Start.shell("exec 2>&1; " + script)
                        .with("cwd", workspace.toUri().toString())
                        .with("sandbox", sandbox));
        process.closed(LIMIT);
        return process.text();
    }

    @Test
    void c58_nameServersAreKnownInAMinimalViewWithTheNetworkOn() {
        String said = output(withNetwork(minimal()), "cat /etc/resolv.conf /etc/hosts; ls /run /run/systemd/resolve");

        assertThat(said).contains("nameserver 192.0.2.53\n", "192.0.2.1 somewhere\n", "stub-resolv.conf\n");
        assertThat(said).as("nothing else of /run").doesNotContain("other\n", "secret\n");
    }

    @Test
    void c58_nameServersAreKnownWhereAnEntryShowsEtcAlone() {
        ObjectNode sandbox = withNetwork(Policies.of(
                workspace,
                entry(Path.of("/usr"), "read"),
                entry(Path.of("/bin"), "read"),
                entry(Path.of("/lib"), "read"),
                entry(Path.of("/lib64"), "read"),
                entry(Path.of("/etc"), "read"),
                entry("project_roots", "write")));

        assertThat(output(sandbox, "cat /etc/resolv.conf")).isEqualTo("nameserver 192.0.2.53\n");
    }

    @Test
    void c58_theTimeZoneIsKnownWithoutTheRestOfUsrShare() {
        ObjectNode sandbox = Policies.of(
                workspace,
                entry(Path.of("/usr/bin"), "read"),
                entry(Path.of("/bin"), "read"),
                entry(Path.of("/lib"), "read"),
                entry(Path.of("/usr/lib"), "read"),
                entry(Path.of("/lib64"), "read"),
                entry(Path.of("/etc"), "read"),
                entry("project_roots", "write"));

        assertThat(output(sandbox, "head -c 4 /etc/localtime; echo; ls /usr/share"))
                .isEqualTo("TZif\nzoneinfo\n");
    }

    @Test
    void c58_aCommandWithoutNetworkIsShownNoNameServers() {
        assertThat(output(minimal(), "cat /etc/resolv.conf")).contains("No such file or directory");
    }

    @Test
    void c58_aLinkThatLeadsToAnotherKindOfFileShowsNothing() {
        assertThat(output(withNetwork(minimal()), "cat /etc/nsswitch.conf")).contains("No such file or directory");
    }

    @Test
    void c58_whatThePolicyDeniesStaysDenied() {
        ObjectNode sandbox = withNetwork(Policies.of(
                workspace,
                entry("minimal", "read"),
                entry(Path.of("/run/systemd"), "deny"),
                entry("project_roots", "write")));

        assertThat(output(sandbox, "cat /etc/resolv.conf")).doesNotContain("nameserver");
    }

    @Test
    void c59_whatWouldBeLostCannotBeWritten() {
        String said = output(
                minimal(),
                "mkdir -p /data/out; echo >/opt2; echo >/dev/x; echo >/usr/x; echo >/var/x; mkdir /home; echo here >f; cat f");

        assertThat(said.lines().filter(line -> line.contains("Read-only file system")))
                .as(said)
                .hasSize(6);
        assertThat(said).endsWith("here\n");
        assertThat(workspace.resolve("f")).hasContent("here");
    }

    @Test
    void c59_temporaryFilesAndSharedMemoryWorkWithinABound() {
        String said = output(
                minimal(),
                "echo t >/tmp/t && cat /tmp/t; echo s >/dev/shm/s && cat /dev/shm/s; mktemp >/dev/null && echo made; "
                        + "stat -c %a /tmp /dev/shm; echo $(($(stat -f -c '%b * %S' /tmp))); fallocate -l 2G /tmp/big; echo $?");

        assertThat(said).startsWith("t\ns\nmade\n1777\n1777\n1073741824\n").contains("No space left on device");
    }

    @Test
    void c59_theTemporaryFilesOfTheHostAreSharedWhereTheProfileSaysSo() {
        ObjectNode sandbox = Policies.of(
                workspace, entry("minimal", "read"), entry("project_roots", "write"), entry("slash_tmp", "write"));

        assertThat(output(sandbox, "echo kept >/tmp/kept-" + workspace.hashCode()))
                .isEmpty();
        assertThat(stand.root("cat /tmp/kept-" + workspace.hashCode())).isEqualTo("kept\n");
    }

    @Test
    void c59_devicesOfAViewOfEverythingAreUsedAndNotAddedTo() {
        String said = output(
                Policies.workspaceWrite(workspace),
                "echo >/dev/x; echo n >/dev/null && head -c 3 /dev/zero | wc -c; echo s >/dev/shm/s && cat /dev/shm/s");

        assertThat(said).contains("Read-only file system").endsWith("3\ns\n");
    }

    @Test
    void c60_withoutNetworkASocketFileIsRefusedAtOnceAndTheWaysAroundItWork() {
        ObjectNode sandbox = Policies.of(
                workspace, entry("root", "read"), entry("project_roots", "write"), entry("slash_tmp", "write"));

        assertThat(output(sandbox, pool("forkserver"))).contains("Operation not permitted");
        assertThat(output(sandbox, pool("spawn"))).isEqualTo("[1, 4, 9]\n");
        assertThat(output(sandbox, pool("fork"))).isEqualTo("[1, 4, 9]\n");
        assertThat(output(withNetwork(sandbox), pool("forkserver"))).isEqualTo("[1, 4, 9]\n");
    }

    private static String pool(String method) {
        return """
                cat >pool.py <<'END'
                import multiprocessing, sys
                from concurrent.futures import ProcessPoolExecutor
                def square(x):
                    return x * x
                if __name__ == '__main__':
                    context = multiprocessing.get_context('%s')
                    with ProcessPoolExecutor(2, mp_context=context) as pool:
                        print(list(pool.map(square, [1, 2, 3])))
                END
                /usr/bin/python3 pool.py
                """.formatted(method);
    }
}
