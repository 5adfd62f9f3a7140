package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.execserver.it.support.Json;
import dev.execserver.it.support.VarTmp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The tarball and the Debian package, made without start-up caches. */
@Timeout(300)
class PackagesIT {
    private static final Path DIST = Path.of(System.getProperty("exec.server.dist", "../server/target/dist"))
            .toAbsolutePath()
            .normalize();
    private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    /**
     * Runs the script in a copy of this machine that is gone afterwards: its files are the lower layer of an overlay. Exit status
     * 77 if no overlay can be mounted here.
     */
    private static final String IN_A_COPY = """
            set -e
            mkdir -p "$1/copy" && mount -t tmpfs none "$1/copy" && cd "$1/copy" && mkdir up work root
            mount -t overlay none -o lowerdir=/,upperdir=$PWD/up,workdir=$PWD/work root || exit 77
            mount --rbind /proc root/proc && mount --rbind /dev root/dev
            mkdir -p root/opt && cp "$1"/*.deb root/opt/package.deb
            cd root && pivot_root . mnt && umount --lazy /mnt
            exec bash -ec "$2"
            """;

    @TempDir(factory = VarTmp.class)
    private static Path folder;

    @BeforeAll
    static void make() throws Exception {
        Ended made = run(List.of(
                JAVA,
                REPOSITORY.resolve("tools/MakePackages.java").toString(),
                REPOSITORY.toString(),
                DIST.toString(),
                folder.toString(),
                "--quick"));
        assertThat(made.status()).as(made.out()).isZero();
    }

    @Test
    void theTarballRunsInAnyFolderWithoutJavaAndWithoutVariables() throws Exception {
        Path target = Files.createDirectory(folder.resolve("a folder"));
        assertThat(run(List.of("tar", "-xf", only(".tar.gz").toString(), "-C", target.toString()))
                        .status())
                .isZero();
        Path program;
        try (Stream<Path> unpacked = Files.list(target)) {
            program = unpacked.findFirst().orElseThrow();
        }
        assertThat(program.resolve("doc/docs/deploy.md")).isRegularFile();
        assertThat(program.resolve("systemd/exec-server.service")).isRegularFile();

        String launcher = program.resolve("bin/exec-server").toString();
        Ended version = run(withoutJava(launcher, "--version"));
        assertThat(version.status()).as(version.out()).isZero();
        assertThat(version.out()).startsWith("exec-server ").contains("Java 25");

        List<String> session = withoutJava(
                "sh",
                "-c",
                "echo '{\"id\":1,\"method\":\"initialize\",\"params\":{\"clientName\":\"it\"}}' | \"$0\" --listen stdio",
                launcher);
        Ended answered = run(session);
        assertThat(answered.status()).as(answered.out()).isZero();
        assertThat(Json.parse(answered.out().lines().findFirst().orElseThrow())
                        .at("/result/sessionId")
                        .asText())
                .isNotEmpty();
    }

    @Test
    void theDebianPackageHasItsUnitsItsSettingsAndItsDocuments() throws Exception {
        String deb = only(".deb").toString();

        assertThat(run(List.of("dpkg-deb", "--contents", deb)).out())
                .contains(
                        "root/root",
                        "./usr/lib/exec-server/runtime/bin/java",
                        "./usr/bin/exec-server -> ../lib/exec-server/bin/exec-server",
                        "./usr/lib/systemd/system/exec-server.service",
                        "./usr/lib/systemd/system/exec-server.socket",
                        "./etc/exec-server/exec-server.properties",
                        "./usr/lib/exec-server/exec-server.cdx.json",
                        "./usr/share/doc/exec-server/CHANGELOG.md",
                        "./usr/share/doc/exec-server/docs/operate.md")
                .doesNotContain("/dist/", ".built", "MakePackages");
        assertThat(run(List.of("dpkg-deb", "--info", deb, "conffiles")).out())
                .isEqualTo("/etc/exec-server/exec-server.properties\n");
        assertThat(run(List.of("dpkg-deb", "--field", deb, "Depends")).out()).isEqualTo("libc6 (>= 2.31), passwd\n");
    }

    @Test
    void itIsInstalledUsedUpgradedAndRemoved() throws Exception {
        Ended ended = inACopy("""
                dpkg -i /opt/package.deb
                test "$(stat -c '%U:%G %a' /etc/exec-server/token)" = 'root:exec-server 640'
                install -d -o exec-server -g exec-server /var/lib/exec-server
                cd /var/lib/exec-server
                as() {
                    exec setpriv --reuid exec-server --regid exec-server --clear-groups env -i PATH=/usr/bin:/bin HOME=$PWD "$@"
                }
                serve() { as exec-server --config /etc/exec-server/exec-server.properties "$@"; }
                (serve --check-config)
                (as exec-server sandbox -- echo in a sandbox)
                serve --listen ws://127.0.0.1:0 --state-dir $PWD/state >url 2>log & server=$!
                until test -s url; do kill -0 $server; sleep 0.1; done
                exec-server run --url "$(cat url)" --token-file /etc/exec-server/token -- id -un
                exec-server run --url "$(cat url)" --token-file /etc/exec-server/token -- pwd
                kill $server; wait $server
                cat log

                cp /etc/exec-server/token before
                echo '# of the operator' >>/etc/exec-server/exec-server.properties
                dpkg -i --force-confold /opt/package.deb
                cmp before /etc/exec-server/token
                grep 'of the operator' /etc/exec-server/exec-server.properties

                dpkg -r exec-server
                test -e /etc/exec-server/token
                dpkg -P exec-server
                test ! -e /etc/exec-server && test ! -e /usr/lib/exec-server && test ! -e /usr/bin/exec-server
                echo all is well
                """);

        assertThat(ended.status()).as(ended.out()).isZero();
        assertThat(ended.out())
                .contains("The configuration can be used.")
                .contains("\nexec-server\n/var/lib/exec-server\n")
                .contains("process.started", "[\"id\",\"-un\"]", "in a sandbox")
                .endsWith("all is well\n");
    }

    private static Ended inACopy(String script) throws Exception {
        assumeTrue(Files.isWritable(Path.of("/etc/passwd")), "only root can install packages");
        Ended ended = run(List.of("unshare", "--mount", "bash", "-c", IN_A_COPY, "bash", folder.toString(), script));
        assumeTrue(ended.status() != 77, "no overlay can be mounted here");
        return ended;
    }

    private static Path only(String ending) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Returns a command without variables in which the places of Java are empty. */
    private static List<String> withoutJava(String... command) {
        List<String> words = new ArrayList<>(List.of("bwrap", "--dev-bind", "/", "/"));
        for (String place : List.of("/usr/lib/jvm", "/opt", "/usr/java")) {
            if (Files.isDirectory(Path.of(place))) {
                words.addAll(List.of("--tmpfs", place));
            }
        }
        words.addAll(List.of("env", "-i", "PATH=/usr/bin:/bin", "HOME=/nonexistent"));
        words.addAll(List.of(command));
        return words;
    }

    /** Runs a command; both its streams are one text. */
    private static Ended run(List<String> command) throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "out", "");
        Process process = new ProcessBuilder(command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        return new Ended(process.waitFor(), Files.readString(out));
    }

    private record Ended(int status, String out) {}
}
