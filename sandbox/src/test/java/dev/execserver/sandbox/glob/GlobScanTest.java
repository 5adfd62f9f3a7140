package dev.execserver.sandbox.glob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.sandbox.glob.CommandRunner.Output;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.paths.FileId;
import dev.execserver.sandbox.paths.FileView;
import dev.execserver.sandbox.paths.FileView.Kind;
import dev.execserver.sandbox.paths.KernelFileView;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.MemoryFiles;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import dev.execserver.sandbox.resolve.PolicyDirectories;
import dev.execserver.sandbox.resolve.PolicyResolver;
import dev.execserver.sandbox.resolve.Profiles;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.resolve.ServerPaths;
import dev.execserver.sandbox.resolve.Tree;
import dev.execserver.sandbox.spawn.Spawner;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The walk and ripgrep find the same matches. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
class GlobScanTest {
    private static final LinuxPath RIPGREP = LinuxPath.of("/usr/bin/rg");

    private final Poller poller = new Poller();
    private final Spawner spawner = new Spawner(poller);
    private final CommandRunner runner = new SpawnerCommandRunner(spawner, SpawnerCommandRunner.LIMIT);
    private final FileView files = new KernelFileView();
    private Tree tree;

    @BeforeAll
    void plant() {
        tree = new Tree()
                .file("a.env", "")
                .file(".env", "")
                .file("a.txt", "")
                .file("x/y/z.env", "")
                .file("x/b.env", "")
                .file("ig/k.env", "")
                .file(".gitignore", "ig/\n*.env\n")
                .file(".git/HEAD", "ref")
                .file(".git/h.env", "")
                .file(".ignore", "x/\n")
                .file("d.env/f", "")
                .file("d.env/deep/g.env", "")
                .directory("e.env")
                .file("x[1.txt", "")
                .file("x1.txt", "")
                .file("{a,b}.key", "")
                .file("a.key", "")
                .file("ä.key", "")
                .file("sp ace!/n\new.key", "")
                .file("-v.key", "")
                .link("l.env", "a.txt")
                .link("x/dir.env", "y")
                .link("loop.env", "loop.env");
        tree.shell("", "printf x > \"$(printf 'raw\\377.key')\"; mkfifo p.env");
    }

    @AfterAll
    void fell() {
        tree.close();
        spawner.close();
        poller.close();
    }

    @AfterEach
    void everythingThatWasStartedHasEnded() {
        assertThat(ProcessHandle.current()
                        .children()
                        .filter(child -> child.info()
                                .command()
                                .filter(command -> command.endsWith("/rg"))
                                .isPresent()))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "**/*.env",
                "*.env",
                "x/**",
                "**/y/*",
                "*",
                "**",
                "x[1.txt",
                "?.key",
                "[!a].key",
                "*.{key,txt}",
                "a*",
                "**/[a-d]*",
                "{a,b}.key",
                "sp ace!/*",
                "**/*k*.env",
                "d.env/*",
                "-*",
                "**e**",
                "\\{a*",
                "*.KEY",
                ".*"
            })
    void bothFindTheSame(String pattern) {
        for (OptionalInt depth : List.of(OptionalInt.empty(), OptionalInt.of(1), OptionalInt.of(2))) {
            List<GlobPattern> patterns = patterns(pattern);
            LinuxPath root = patterns.getFirst().root();
            Set<String> walked = found(new WalkScan(files, path -> false).scan(root, patterns, depth));
            Set<String> searched = found(ripgrep(runner).scan(root, patterns, depth));
            assertThat(searched).as(pattern + " " + depth).isEqualTo(walked);
        }
    }

    @Test
    void hiddenAndIgnoredFilesDirectoriesAndLinksMatch() {
        assertThat(found(ripgrep(runner).scan(tree.path(""), patterns("**/*.env"), OptionalInt.empty())))
                .containsExactly(
                        ".env REGULAR",
                        ".git/h.env REGULAR",
                        "a.env REGULAR",
                        "d.env DIRECTORY",
                        "e.env DIRECTORY",
                        "ig/k.env REGULAR",
                        "l.env SYMLINK",
                        "loop.env SYMLINK",
                        "p.env OTHER",
                        "x/b.env REGULAR",
                        "x/dir.env SYMLINK",
                        "x/y/z.env REGULAR");
    }

    @Test
    void theDepthBoundCountsDirectChildrenAsOne() {
        assertThat(found(new WalkScan(files, path -> false)
                        .scan(tree.path(""), patterns("**/z.env"), OptionalInt.of(2))))
                .isEmpty();
        assertThat(found(new WalkScan(files, path -> false)
                        .scan(tree.path(""), patterns("**/z.env"), OptionalInt.of(3))))
                .containsExactly("x/y/z.env REGULAR");
    }

    @Test
    @DisplayName("B37: a ripgrep that does not end is told with the globs that it was to expand")
    void aSearchThatDoesNotEndNamesTheGlobs() {
        CommandRunner endless = (program, arguments, cwd) -> {
            throw new PolicyRefusedException("/usr/bin/rg in " + cwd + " did not end within 30 s");
        };
        List<GlobPattern> globs = Stream.of("*.env", "*.key", "*.a", "*.b", "*.c")
                .flatMap(glob -> patterns(glob).stream())
                .toList();
        assertThatThrownBy(() -> ripgrep(endless).scan(tree.path(""), globs, OptionalInt.empty()))
                .isInstanceOf(PolicyRefusedException.class)
                .hasMessage(
                        "the unreadable globs `*.env`, `*.key`, `*.a` and 2 more could not be expanded: /usr/bin/rg in "
                                + tree.root() + " did not end within 30 s");
    }

    @Test
    void aSearchThatFailsRefusesThePolicy() {
        CommandRunner failing = (program, arguments, cwd) -> new Output(2, new byte[0], "rg: ./x: broken\n");
        assertThatThrownBy(() -> ripgrep(failing).scan(tree.path(""), patterns("*.env"), OptionalInt.empty()))
                .isInstanceOf(PolicyRefusedException.class)
                .hasMessage("the unreadable glob `*.env` could not be expanded: /usr/bin/rg in " + tree.root()
                        + " ended with status 2: rg: ./x: broken");
        CommandRunner loud = (program, arguments, cwd) -> new Output(1, new byte[0], "warning");
        assertThatThrownBy(() -> ripgrep(loud).scan(tree.path(""), patterns("*.env"), OptionalInt.empty()))
                .isInstanceOf(PolicyRefusedException.class);
        CommandRunner quiet = (program, arguments, cwd) -> new Output(1, new byte[0], "");
        assertThat(ripgrep(quiet).scan(tree.path(""), patterns("nothing*"), OptionalInt.empty()))
                .isEmpty();
    }

    @Test
    void theSearchIsRunWhereTheGlobStartsAndWithoutConfiguration() {
        AtomicReference<List<String>> seen = new AtomicReference<>();
        CommandRunner recording = (program, arguments, cwd) -> {
            assertThat(cwd).isEqualTo(tree.path("x"));
            seen.set(arguments);
            return new Output(1, new byte[0], "");
        };
        ripgrep(recording).scan(tree.path("x"), patterns("x/**/*.env"), OptionalInt.of(4));
        assertThat(String.join(" ", seen.get()))
                .isEqualTo("--no-config --files --hidden --no-ignore --null --color=never --max-depth 4"
                        + " --glob /**/*.env -- .");
    }

    @Test
    void aProgramThatCommandsCanReplaceIsNotRun() {
        CommandRunner forbidden = (program, arguments, cwd) -> {
            throw new AssertionError("was run");
        };
        PolicyResolver resolver = new PolicyResolver(
                files, () -> Optional.of(new Ripgrep(tree.path("x/rg"), false, forbidden)), ServerPaths.NOTHING);
        PolicyDirectories directories =
                new PolicyDirectories(Optional.of(tree.path("ig")), List.of(), Optional.empty(), Optional.empty());
        ResolvedPolicy policy = resolver.resolve(
                Profiles.managed("/:r " + tree.path("x") + ":w " + tree.path("ig") + "/*.env:deny"), directories);
        assertThat(Profiles.rules(policy)).contains(tree.path("ig/k.env") + ":deny GLOB");
    }

    @Test
    void programsAreBoundInTimeAndOutput() {
        CommandRunner impatient = new SpawnerCommandRunner(spawner, Duration.ofMillis(200));
        assertThatThrownBy(() -> impatient.run(LinuxPath.of("/bin/sleep"), List.of("60"), LinuxPath.ROOT))
                .isInstanceOf(PolicyRefusedException.class)
                .hasMessage("/bin/sleep in / did not end within 0 s");
        assertThatThrownBy(() -> runner.run(LinuxPath.of("/usr/bin/yes"), List.of(), LinuxPath.ROOT))
                .isInstanceOf(PolicyRefusedException.class)
                .hasMessage("/usr/bin/yes says more than 33554432 bytes");
        assertThatThrownBy(() -> runner.run(LinuxPath.of("/no/rg"), List.of(), LinuxPath.ROOT))
                .isInstanceOf(PolicyRefusedException.class)
                .hasMessageStartingWith("/no/rg cannot be started in /: ");
        Output output =
                runner.run(LinuxPath.of("/bin/sh"), List.of("-c", "echo out; echo err >&2; exit 3"), LinuxPath.ROOT);
        assertThat(output.exitCode()).isEqualTo(3);
        assertThat(output.stdout()).asString().isEqualTo("out\n");
        assertThat(output.stderr()).isEqualTo("err\n");
    }

    @Test
    void aWalkDoesNotSkipWhatTheCommandCouldOpen() {
        MemoryFiles closed = new MemoryFiles().files("/ws/a.env").closed("/ws/locked");
        List<GlobPattern> patterns = List.of(GlobPattern.compile("/ws/**/*.env", LinuxPath.ROOT, "ws/**/*.env"));
        assertThat(new WalkScan(closed, path -> false).scan(LinuxPath.of("/ws"), patterns, OptionalInt.empty()))
                .hasSize(1);
        assertThatThrownBy(() ->
                        new WalkScan(closed, path -> true).scan(LinuxPath.of("/ws"), patterns, OptionalInt.empty()))
                .hasMessage("the unreadable glob `/ws/**/*.env` cannot be searched for in /ws/locked, which the command"
                        + " could open for itself: statx /ws/locked/x: Permission denied (os error 13)");
    }

    @Test
    void aWalkThroughDirectoriesWithoutEndIsGivenUp() {
        FileView endless = new FileView() {
            @Override
            public Optional<Status> status(LinuxPath path) {
                return Optional.of(new Status(Kind.DIRECTORY, new FileId(1, path.depth()), 0));
            }

            @Override
            public byte[] readLink(LinuxPath link) {
                return new byte[0];
            }

            @Override
            public List<Child> list(LinuxPath directory) {
                return List.of(new Child(new byte[] {(byte) ('a' + directory.depth() % 2)}, Kind.DIRECTORY));
            }

            @Override
            public Optional<byte[]> read(LinuxPath file, int maxBytes) {
                return Optional.empty();
            }

            @Override
            public Optional<String> version(LinuxPath file) {
                return Optional.empty();
            }

            @Override
            public Optional<byte[]> readWhole(LinuxPath file, int maxBytes) {
                return Optional.empty();
            }

            @Override
            public boolean creatable(LinuxPath directory) {
                return false;
            }
        };
        WalkScan walk = new WalkScan(endless, path -> false, kind -> true, Duration.ofMillis(20));
        List<GlobPattern> patterns = List.of(GlobPattern.compile("/ws/*.env", LinuxPath.ROOT, "ws/*.env"));

        assertThatThrownBy(() -> walk.scan(LinuxPath.of("/ws"), patterns, OptionalInt.empty()))
                .hasMessage("the unreadable glob `/ws/*.env` could not be searched for in /ws within 0 s;"
                        + " start with a smaller directory, or set glob_scan_max_depth");
    }

    private GlobScan ripgrep(CommandRunner with) {
        return new RipgrepScan(RIPGREP, with, new WalkScan(files, path -> false, kind -> kind != Kind.REGULAR));
    }

    private List<GlobPattern> patterns(String pattern) {
        return List.of(GlobPattern.compile(pattern, tree.path(""), pattern));
    }

    private Set<String> found(List<GlobMatch> matches) {
        return matches.stream()
                .map(match ->
                        new String(match.path().relativeTo(tree.path("")), StandardCharsets.UTF_8) + " " + match.kind())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
