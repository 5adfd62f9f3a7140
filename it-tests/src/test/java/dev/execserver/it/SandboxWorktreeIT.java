package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SandboxScene;
import dev.execserver.it.support.SharedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A workspace that is a linked worktree of a repository beside it. */
@Timeout(60)
class SandboxWorktreeIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private final SandboxScene scene = new SandboxScene();
    private Path repository;

    @BeforeEach
    void makeWorktree() throws IOException, InterruptedException {
        repository = scene.base().resolve("repo");
        Files.delete(scene.workspace());
        String git = "git -c user.name=a -c user.email=a@b -c init.defaultBranch=main";
        String script = git + " init -q repo && cd repo && " + git + " commit -q --allow-empty -m first && " + git
                + " worktree add -q ../ws";
        ProcessBuilder builder = new ProcessBuilder("sh", "-ec", script).inheritIO();
        assertThat(builder.directory(scene.base().toFile()).start().waitFor()).isZero();
    }

    @AfterEach
    void cleanUp() {
        scene.close();
    }

    private RemoteProcess run(String script) {
        RemoteProcess process = SERVER.client()
                .start(scene.shell(script, SandboxScene.entry(repository.resolve(".git"), "write"))
                        .env("GIT_CONFIG_NOSYSTEM", "1")
                        .env("GIT_CONFIG_COUNT", "3")
                        .env("GIT_CONFIG_KEY_0", "safe.directory")
                        .env("GIT_CONFIG_VALUE_0", "*")
                        .env("GIT_CONFIG_KEY_1", "user.name")
                        .env("GIT_CONFIG_VALUE_1", "a")
                        .env("GIT_CONFIG_KEY_2", "user.email")
                        .env("GIT_CONFIG_VALUE_2", "a@b"));
        process.closed();
        return process;
    }

    @Test
    @DisplayName("B34: git add and commit work in a linked worktree whose repository is writable")
    void filesAreAddedAndCommitted() {
        RemoteProcess process = run("echo x > f && git add f && git commit -q -m second && git log --format=%s");

        assertThat(process.exited().exitCode()).as(process.text()).isZero();
        assertThat(process.text()).isEqualTo("second\nfirst\n");
    }

    @Test
    @DisplayName("B34: hooks and configuration of the repository stay read-only")
    void ordersForGitStayReadOnly() throws IOException {
        Path hooks = repository.resolve(".git/hooks");
        Files.createDirectories(hooks);
        String before = Files.readString(repository.resolve(".git/config"));
        RemoteProcess process = run("echo evil > " + hooks + "/pre-commit; git config core.fsmonitor evil; echo x >> "
                + repository + "/.git/config; echo gitdir: /tmp > .git; mv " + hooks + " " + hooks + "2; exit 0");

        assertThat(hooks.resolve("pre-commit")).doesNotExist();
        assertThat(hooks).isDirectory();
        assertThat(repository.resolve(".git/config")).hasContent(before);
        assertThat(process.text()).contains("Read-only file system");
        assertThat(Files.readString(scene.workspace().resolve(".git"))).startsWith("gitdir: " + repository);
    }

    @Test
    @DisplayName("B34: what git takes orders from cannot be made either where it is missing")
    void missingOrdersForGitCannotBeMade() throws IOException {
        Path git = repository.resolve(".git");
        delete(git.resolve("hooks"));
        List<String> missing = List.of("hooks", "config.worktree", "commondir", "modules", "worktrees/evil");
        StringBuilder script = new StringBuilder();
        for (String name : missing) {
            Path path = git.resolve(name);
            script.append(
                    "mkdir -p %1$s; echo x > %1$s/x; rm -rf %1$s; echo x > %1$s; ln -s /tmp %1$s; ".formatted(path));
        }
        RemoteProcess process = run(script + "true >>" + git + "/ORIG_HEAD && echo other files can be written; exit 0");

        assertThat(process.text()).contains("other files can be written");
        for (String name : missing) {
            assertThat(git.resolve(name)).doesNotExist();
        }
    }

    @Test
    @DisplayName("B34: a rebase of the repository that waits for its user is not changed")
    void anUnfinishedRebaseIsNotChanged() throws IOException {
        for (String name : List.of("rebase-merge", "rebase-apply", "sequencer")) {
            Path todo = Files.createDirectory(repository.resolve(".git").resolve(name))
                    .resolve("git-rebase-todo");
            Files.writeString(todo, "pick 1234567");

            RemoteProcess process =
                    run("echo exec evil >> %1$s/git-rebase-todo; mv %1$s %1$s.2; exit 0".formatted(todo.getParent()));

            assertThat(process.text()).contains("Read-only file system", "Device or resource busy");
            assertThat(todo).hasContent("pick 1234567");
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
