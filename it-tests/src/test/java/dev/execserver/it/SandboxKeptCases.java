package dev.execserver.it;

import static dev.execserver.it.support.Policies.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.OwnMounts;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.Start;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What others got wrong and this server did not: names, links, mounts and programs of workspaces as they are met outside. */
@Timeout(300)
abstract class SandboxKeptCases {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String GIT = "git -c user.name=a -c user.email=a@b -c init.defaultBranch=main ";

    private static OwnMounts stand;

    /** What root makes for the cases; {@code $owner} is whom the server runs as. */
    private static final String SETUP = """
            chown_all() { chown -R "$owner" "$@"; }
            mkdir -p mounts/ws/tmp mounts/ws/ro mounts/lower mounts/upper mounts/work mounts/over foreign/ws home/ws
            echo inside >mounts/ws/ro/file
            mount -t tmpfs -o mode=777 tmpfs mounts/ws/tmp
            mount --bind mounts/ws/ro mounts/ws/ro && mount -o remount,bind,ro mounts/ws/ro
            echo low >mounts/lower/low; echo key >mounts/lower/a.env; chown_all mounts/lower mounts/upper
            mount -t overlay -o lowerdir=mounts/lower,upperdir=mounts/upper,workdir=mounts/work overlay mounts/over || \
              mount -t tmpfs -o mode=777 tmpfs mounts/over && { cp -n mounts/lower/* mounts/over/ || :; }
            chown_all mounts/ws/tmp mounts/over foreign/ws home; chown "$owner" mounts/ws
            ln -s home linkedhome
            chmod 711 foreign
            """;

    static void start(List<String> user, String owner) {
        stand = OwnMounts.start("owner=" + owner + "\n" + SETUP, user);
    }

    @AfterAll
    static void stop() {
        stand.close();
    }

    private static Path path(String name) {
        return stand.folder("ws").getParent().resolve(name);
    }

    private static ObjectNode writable(Path workspace, ObjectNode... more) {
        List<ObjectNode> entries = new ArrayList<>(List.of(entry("root", "read"), entry("project_roots", "write")));
        entries.addAll(List.of(more));
        return Policies.of(workspace, entries.toArray(ObjectNode[]::new));
    }

    private static String output(Path workspace, ObjectNode sandbox, String script) {
        RemoteProcess process = stand.client()
                .start(Start.shell("exec 2>&1; " + script)
                        .env("HOME", "/nowhere")
                        .env("GIT_CONFIG_NOSYSTEM", "1")
                        .env("GIT_CONFIG_COUNT", "1")
                        .env("GIT_CONFIG_KEY_0", "safe.directory")
                        .env("GIT_CONFIG_VALUE_0", "*")
                        .with("cwd", workspace.toUri().toString())
                        .with("sandbox", sandbox));
        process.closed(LIMIT);
        return process.text();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a[1]", "a*?", "{a,b}", "a,b:c", "a\nb", "a\\b", "a'\"b", "-a", "é ü"})
    void c70_oddNamesOfWorkspaces(String name) {
        Path workspace = stand.folder(name);
        ObjectNode sandbox =
                writable(workspace, entry(workspace.resolve("secret"), "deny"), Policies.denied("**/*.env"));
        String made = output(
                workspace, writable(workspace), "echo TOPSECRET >secret; mkdir sub; echo KEYS >sub/k.env; echo f >f");

        assertThat(made).isEmpty();
        assertThat(output(workspace, sandbox, "cat secret; cat sub/k.env; mkdir .git; cat f"))
                .contains("Permission denied")
                .doesNotContain("TOPSECRET", "KEYS")
                .endsWith("f\n");
        ObjectNode read = Json.object("path", workspace.resolve("sub/k.env").toString());
        read.set("sandbox", sandbox);
        assertThat(stand.client().send("fs/readFile", read).answer(LIMIT).failed())
                .isTrue();
        assertThat(workspace.resolve(".git")).doesNotExist();
    }

    @Test
    void c71_aWorktreeBelowAFolderOfTheTool() {
        Path repository = stand.folder("repo");
        Path worktree = repository.resolve(".codex/worktrees/w");
        assertThat(output(
                        repository,
                        outside(),
                        GIT + "init -q . && " + GIT + "commit -q --allow-empty -m first && " + GIT
                                + "worktree add -q .codex/worktrees/w 2>/dev/null && echo made"))
                .endsWith("made\n");
        ObjectNode sandbox = writable(worktree, entry(repository.resolve(".git"), "write"));

        assertThat(output(
                        worktree,
                        sandbox,
                        "echo x >f && git add f && " + GIT + "commit -q -m second && git log --format=%s"))
                .isEqualTo("second\nfirst\n");
        assertThat(output(
                        worktree,
                        sandbox,
                        "echo evil >" + repository + "/.git/hooks/pre-commit; echo x >>" + repository + "/.git/config"))
                .contains("Read-only file system");
    }

    @Test
    void c72_aRepositoryWithConfigurationOfWorktrees() {
        Path workspace = stand.folder("worktree-config");
        output(workspace, outside(), GIT + "init -q . && git config extensions.worktreeConfig true && echo x >f");

        assertThat(output(workspace, writable(workspace), "git status --porcelain"))
                .isEqualTo("?? f\n");
    }

    /** As without a sandbox. */
    private static ObjectNode outside() {
        return Json.object(
                "permissions", Json.object("type", "disabled"), "cwd", "file:///", "windowsSandboxLevel", "disabled");
    }

    @Test
    void c73_aWorkspaceBehindALink() {
        Path linked = path("linkedhome/ws");
        ObjectNode minimal = Policies.of(linked, entry("minimal", "read"), entry("project_roots", "write"));

        assertThat(output(linked, writable(linked), "echo 1 >f && cat f && echo 2 >" + linked + "/g && cat g"))
                .isEqualTo("1\n2\n");
        assertThat(output(linked, minimal, "cat f " + linked + "/g; echo 3 >f && cat f"))
                .isEqualTo("1\n2\n3\n");
    }

    @Test
    void c74_mountsInsideOfAWorkspaceKeepWhatTheyAre() {
        Path workspace = path("mounts/ws");

        assertThat(output(workspace, writable(workspace), "echo t >tmp/t && cat tmp/t ro/file; echo >ro/x"))
                .startsWith("t\ninside\n")
                .contains("Read-only file system");
        assertThat(output(workspace.resolve("tmp"), writable(workspace.resolve("tmp")), "echo m >m && cat m"))
                .isEqualTo("m\n");
        Path over = path("mounts/over");
        assertThat(output(over, writable(over, Policies.denied("**/*.env")), "cat low; echo u >u && cat u; cat a.env"))
                .startsWith("low\nu\n")
                .contains("Permission denied");
    }

    @Test
    void c75_aWorkspaceBelowAFolderThatMayOnlyBePassed() {
        Path workspace = path("foreign/ws");

        assertThat(output(workspace, writable(workspace), "echo 1 >f && cat f")).isEqualTo("1\n");
        assertThat(output(workspace, writable(workspace), "mkdir d && chmod 311 d && cd d && echo in && chmod 755 ."))
                .isEqualTo("in\n");
        assertThat(output(Path.of("/usr"), writable(Path.of("/usr/share")), "echo started"))
                .isEqualTo("started\n");
    }

    @Test
    void c76_poolsLocksSharedMemoryAndDatabases() {
        Path workspace = stand.folder("python");
        String script = """
                cat >p.py <<'END'
                import multiprocessing, os, sqlite3, sys
                from multiprocessing import shared_memory
                def square(x):
                    return x * x
                if __name__ == '__main__':
                    for method in 'fork', 'spawn':
                        with multiprocessing.get_context(method).Pool(2) as pool:
                            print(pool.map(square, [1, 2, 3]))
                    with multiprocessing.Lock():
                        print('lock')
                    memory = shared_memory.SharedMemory(create=True, size=4096)
                    memory.buf[0] = 7; print(memory.buf[0]); memory.close(); memory.unlink()
                    fd = os.memfd_create('m'); os.write(fd, b'x'); print(os.fstat(fd).st_size)
                    os.mkfifo('fifo'); print('fifo')
                    db = sqlite3.connect('d.sqlite'); print(db.execute('pragma journal_mode=wal').fetchone()[0])
                    db.execute('create table t (x)'); db.execute('insert into t values (5)'); db.commit()
                    print(db.execute('select x from t').fetchone()[0])
                END
                /usr/bin/python3 p.py
                """;

        assertThat(output(workspace, writable(workspace), script))
                .isEqualTo("[1, 4, 9]\n[1, 4, 9]\nlock\n7\n1\nfifo\nwal\n5\n");
    }

    @Test
    void c77_hardLinksRenamesAndToolsThatUseThem() {
        Path workspace = stand.folder("tools");

        assertThat(output(
                        workspace,
                        writable(workspace),
                        "mkdir a b; echo x >a/f; ln a/f b/g; mv a/f b/f; stat -c %h b/g"))
                .isEqualTo("2\n");
        assertThat(
                        output(
                                workspace,
                                writable(workspace),
                                "/usr/bin/python3 -c \"import venv; venv.create('v', symlinks=True)\" && v/bin/python -c 'print(1)'"))
                .isEqualTo("1\n");
    }

    @Test
    void c78_modesPipesAndArchivesOfOwnFilesAndNoDevices() {
        Path workspace = stand.folder("modes");

        assertThat(output(
                        workspace,
                        writable(workspace),
                        "echo x >f; chmod 4755 f; stat -c %a f; mkfifo p; tar cf t.tar f p; mkdir o; tar xf t.tar -C o; "
                                + "ls o; mknod null c 1 3; mknod disk b 8 0"))
                .startsWith("4755\nf\np\n")
                .contains("Operation not permitted");
        assertThat(workspace.resolve("null")).doesNotExist();
    }

    @Test
    void c79_whatAGlobDeniesIsFoundWhateverHidesIt() {
        Path workspace = stand.folder("globs");
        output(workspace, outside(), """
                for f in .gitignore .ignore .rgignore; do echo '*.env' >$f; done
                mkdir -p .hidden deep/er match.env 'sp ace'
                for f in a.env .hidden/b.env deep/er/c.env match.env/d 'sp ace/e.env' -f.env; do echo secret >"./$f"; done
                printf secret >"$(printf 'n\\nl.env')"; printf secret >"$(printf 'bad\\377.env')"; printf 'se\\000cret' >bin.env
                mkfifo pipe.env; ln -s . loop; echo open >open
                """);

        assertThat(output(
                        workspace,
                        writable(workspace, Policies.denied("**/*.env")),
                        "for f in a.env .hidden/b.env deep/er/c.env match.env/d 'sp ace/e.env' -f.env n*l.env bad*.env "
                                + "bin.env; do cat \"./$f\"; done; cat open"))
                .doesNotContain("secret", "se\0cret")
                .endsWith("open\n");
    }

    @Test
    void c80_aTemporaryFolderThatTheProfileNamesAndOneThatIsMissing() {
        Path workspace = stand.folder("temporary");
        ObjectNode sandbox = writable(workspace, entry("tmpdir", "write"));
        Path home = path("home");
        String script = "echo $TMPDIR; mktemp >/dev/null && echo made";
        RemoteProcess there = stand.client()
                .start(Start.shell(script)
                        .env("TMPDIR", home.toString())
                        .with("cwd", workspace.toUri().toString())
                        .with("sandbox", sandbox));
        there.closed(LIMIT);
        assertThat(there.text()).isEqualTo(home + "\nmade\n");
        RemoteProcess missing = stand.client()
                .start(Start.shell("echo started")
                        .env("TMPDIR", home + "/missing")
                        .with("cwd", workspace.toUri().toString())
                        .with("sandbox", sandbox));
        missing.closed(LIMIT);
        assertThat(missing.text()).isEqualTo("started\n");
    }
}
