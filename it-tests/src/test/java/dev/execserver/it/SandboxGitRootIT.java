package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SandboxScene;
import dev.execserver.it.support.SharedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Workspaces in which git finds no repository, and would take the workspace itself for one. */
@Timeout(90)
class SandboxGitRootIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private final SandboxScene scene = new SandboxScene();
    private Path proof;

    @BeforeEach
    void name() {
        proof = scene.base().resolve("proof");
    }

    @AfterEach
    void cleanUp() {
        scene.close();
    }

    private String run(String script) {
        RemoteProcess process = SERVER.client().start(scene.shell(script));
        process.closed();
        return process.text();
    }

    /** Returns the exit status. */
    private int outside(String script) throws IOException, InterruptedException {
        return new ProcessBuilder("sh", "-c", script)
                .directory(scene.workspace().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    @Test
    void aCommandCannotMakeTheWorkspaceItselfARepository() throws Exception {
        String text = run("git init -q --bare . 2>&1; echo 'ref: refs/heads/main' >HEAD; mkdir -p objects refs;"
                + " printf '[core]\\n\\tbare = false\\n\\tworktree = .\\n\\tfsmonitor = touch %s; false\\n' >config; mv HEAD H; rmdir HEAD; ls -A"
                        .formatted(proof));

        assertThat(text).contains("HEAD");
        outside("git -c safe.directory='*' status");
        assertThat(proof).doesNotExist();
        assertThat(scene.workspace().resolve("HEAD")).doesNotExist();
        assertThat(scene.workspace().resolve("refs")).isDirectory();
    }

    @Test
    void aBareRepositoryAsWorkspaceKeepsItsConfigurationAndHooks() throws Exception {
        outside("git init -q --bare .");
        String config = Files.readString(scene.workspace().resolve("config"));
        run("git config core.fsmonitor 'touch %s'; echo x >hooks/post-update; mv hooks h; mv config c; echo x >config"
                .formatted(proof));

        assertThat(scene.workspace().resolve("config")).content().isEqualTo(config);
        assertThat(scene.workspace().resolve("hooks/post-update")).doesNotExist();
        assertThat(run("git -c safe.directory='*' rev-parse --is-bare-repository"))
                .isEqualTo("true\n");
    }

    @Test
    void aBareRepositoryAsWorkspaceCannotBeToldToLookElsewhere() throws Exception {
        outside("git init -q --bare .");
        Path commondir = scene.workspace().resolve("commondir");
        RemoteProcess process = SERVER.client()
                .start(scene.shell(
                                "git init -q --bare evil; git -C evil config core.fsmonitor true; echo evil >commondir;"
                                        + " rm -f commondir; mv commondir c; ln -sfn evil commondir; echo on; read go")
                        .stdin());
        process.awaitText("on");

        assertThat(commondir).as("while it runs").content().isEqualTo(".\n");
        assertThat(outside("git -c safe.directory='*' rev-parse --git-common-dir"))
                .as("the user's git works meanwhile")
                .isZero();
        process.write("go\n");
        process.closed();

        assertThat(commondir).doesNotExist();
        assertThat(outside("test \"$(git -c safe.directory='*' rev-parse --git-common-dir)\" = ."))
                .as("git takes the root itself for the repository")
                .isZero();
        assertThat(outside("test -z \"$(git -c safe.directory='*' config core.fsmonitor)\""))
                .isZero();
    }

    @Test
    void aRepositoryOfTheUserIsMadeWhileACommandRuns() throws Exception {
        RemoteProcess process =
                SERVER.client().start(scene.shell("echo on; read go; ls").stdin());
        process.awaitText("on");
        outside(
                "git init -q . && git -c safe.directory='*' -c user.name=a -c user.email=a@b commit -q --allow-empty -m x");
        process.write("go\n");
        process.closed();

        assertThat(scene.workspace().resolve(".git/HEAD")).isRegularFile();
        assertThat(scene.workspace().resolve("HEAD")).doesNotExist();
    }
}
