package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SandboxScene;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A repository with a submodule: the workspace is the one or the other. */
@Timeout(60)
class SandboxSubmoduleIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private final SandboxScene scene = new SandboxScene();
    private Path repository;
    private Path submodule;

    @BeforeEach
    void makeRepository() throws IOException, InterruptedException {
        repository = scene.workspace();
        submodule = repository.resolve("libs/a");
        String git = "git -c user.name=a -c user.email=a@b -c init.defaultBranch=main -c protocol.file.allow=always";
        String script = git + " init -q other && (cd other && " + git
                + " commit -q --allow-empty -m first) && cd ws && " + git + " init -q . && " + git
                + " submodule --quiet add ../other libs/a && " + git + " commit -q -m super";
        ProcessBuilder builder = new ProcessBuilder("sh", "-ec", script).inheritIO();
        assertThat(builder.directory(scene.base().toFile()).start().waitFor()).isZero();
    }

    @AfterEach
    void cleanUp() {
        scene.close();
    }

    private RemoteProcess run(Path workspace, String script, ObjectNode... more) {
        ObjectNode[] entries = new ObjectNode[more.length + 2];
        entries[0] = Policies.entry("root", "read");
        entries[1] = Policies.entry("project_roots", "write");
        System.arraycopy(more, 0, entries, 2, more.length);
        RemoteProcess process = SERVER.client()
                .start(Start.shell(script)
                        .with("cwd", workspace.toUri().toString())
                        .with("sandbox", Policies.of(workspace, entries))
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
    void aCommandInTheRepositoryCannotPointASubmoduleElsewhere() throws IOException {
        Path pointer = submodule.resolve(".git");
        String before = Files.readString(pointer);
        RemoteProcess process = run(
                repository,
                "git status --short; mkdir evil; echo gitdir: ../../evil > libs/a/.git; rm libs/a/.git; mv evil libs/a/.git;"
                        + " mv libs/a libs/b; echo x > libs/a/file; git -C libs/a status --short");
        assertThat(process.text()).contains("Read-only file system", "Device or resource busy", "?? file");
        assertThat(pointer).hasContent(before);
        assertThat(submodule.resolve("file")).hasContent("x\n");
    }

    @Test
    void theGitDirectoryOfASubmoduleStaysReadOnlyWhereItsRepositoryIsWritable() throws IOException {
        Path module = repository.resolve(".git/modules/libs/a");
        Files.createDirectories(module.resolve("hooks"));
        String config = Files.readString(module.resolve("config"));
        RemoteProcess process = run(
                submodule,
                "git log --format=%s; git status --short; echo evil > " + module + "/hooks/pre-commit; echo x >> "
                        + module
                        + "/config; git config core.fsmonitor evil; echo /tmp > " + module + "/commondir;"
                        + " echo gitdir: /tmp > .git; exit 0",
                Policies.entry(repository.resolve(".git"), "write"));
        assertThat(process.text()).startsWith("first\n").contains("Read-only file system");
        assertThat(module.resolve("hooks/pre-commit")).doesNotExist();
        assertThat(module.resolve("commondir")).doesNotExist();
        assertThat(module.resolve("config")).hasContent(config);
        assertThat(submodule.resolve(".git")).content().startsWith("gitdir: ../../.git/modules/libs/a");
    }

    private void outside(String script) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-ec", script).inheritIO();
        assertThat(builder.directory(repository.toFile()).start().waitFor()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"git submodule --quiet deinit -f libs/a", "git submodule --quiet deinit -f libs/a; rmdir libs/a"
            })
    void aCommandMakesNoRepositoryWhereASubmoduleIsNotInitialised(String before) throws Exception {
        outside(before);
        Path proof = scene.base().resolve("proof");
        String status = "git -c safe.directory='*' status --porcelain";

        RemoteProcess process = run(
                repository,
                "mkdir -p libs/a; cd libs/a && git init -q .; git config core.fsmonitor 'touch " + proof + "; false';"
                        + " cd ../..; mv libs/a libs/b; echo > .gitmodules; " + status);

        assertThat(process.text()).contains("Read-only file system");
        outside(status + " >/dev/null");
        assertThat(proof).doesNotExist();
        assertThat(repository.resolve("libs/a/.git")).doesNotExist();
        outside("git -c protocol.file.allow=always submodule --quiet update --init");
        assertThat(submodule.resolve(".git")).isRegularFile();
    }

    @Test
    void aCommandMakesNoRepositoryWhereOnlyTheIndexNamesASubmodule() throws Exception {
        outside("git submodule --quiet deinit -f libs/a; git rm -q --cached .gitmodules; rm .gitmodules");
        Path proof = scene.base().resolve("proof");

        RemoteProcess process =
                run(repository, "cd libs/a && git init -q .; git config core.fsmonitor 'touch " + proof + "; false'");

        assertThat(process.text()).contains("Read-only file system");
        outside("git -c safe.directory='*' status --porcelain >/dev/null");
        assertThat(proof).doesNotExist();
        assertThat(submodule.resolve(".git")).doesNotExist();
    }
}
