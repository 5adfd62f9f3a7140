package dev.execserver.sandbox.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.Access;
import dev.execserver.protocol.permissions.Entry;
import dev.execserver.protocol.permissions.FileSystemPolicy;
import dev.execserver.protocol.permissions.NetworkPolicy;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.PolicyPath;
import dev.execserver.protocol.permissions.SpecialPath;
import dev.execserver.sandbox.paths.KernelFileView;
import dev.execserver.sandbox.paths.LinuxPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Asks one resolver again and again while files change. Its answers must be those of a resolver without a memory. */
class ResolutionMemoryTest {

    private final PolicyResolver resolver = fresh();

    @TempDir
    private Path directory;

    private Path workspace;

    @BeforeEach
    void makeWorkspace() throws IOException {
        workspace = Files.createDirectory(directory.toRealPath().resolve("ws"));
    }

    private static PolicyResolver fresh() {
        return new PolicyResolver(new KernelFileView(), Optional::empty, ServerPaths.NOTHING);
    }

    private ResolvedPolicy resolve(PolicyResolver with, Entry... more) {
        List<Entry> entries = new ArrayList<>(List.of(
                Entry.of(new SpecialPath.Root(), Access.READ),
                Entry.of(new SpecialPath.ProjectRoots(Optional.empty()), Access.WRITE)));
        entries.addAll(List.of(more));
        LinuxPath root = LinuxPath.of(workspace.toString());
        return with.resolve(
                new PermissionProfile.Managed(
                        new FileSystemPolicy.Restricted(entries, OptionalInt.empty()), NetworkPolicy.RESTRICTED),
                new PolicyDirectories(Optional.of(root), List.of(root), Optional.empty(), Optional.empty()));
    }

    private ResolvedPolicy sameAsFresh() {
        ResolvedPolicy policy = resolve(resolver);
        assertThat(policy).isEqualTo(resolve(fresh()));
        return policy;
    }

    @Test
    void whatHasNotChangedIsNotResolvedAgain() throws IOException {
        ResolvedPolicy first = resolve(resolver);
        Files.writeString(workspace.resolve("file"), "what lies in a workspace is no part of the policy");
        assertThat(resolve(resolver)).isSameAs(first);
    }

    @Test
    void everyChangeThatCountsIsSeen() throws IOException {
        ResolvedPolicy before = sameAsFresh();
        Path git = Files.createDirectory(workspace.resolve(".git"));
        ResolvedPolicy withGit = sameAsFresh();
        assertThat(withGit).isNotEqualTo(before);
        Files.writeString(git.resolve("HEAD"), "no longer empty");
        assertThat(sameAsFresh()).isNotEqualTo(withGit);
        Files.delete(git.resolve("HEAD"));
        Files.delete(git);
        assertThat(sameAsFresh()).isEqualTo(before);

        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        Files.writeString(git, "gitdir: " + elsewhere + "\n");
        sameAsFresh();
        Files.writeString(git, "gitdir: " + directory + "/elsewhexe\n"); // of the same length
        sameAsFresh();
        Files.delete(git);
        Files.createSymbolicLink(git, elsewhere);
        sameAsFresh();
        Files.delete(git);
        Files.createSymbolicLink(git, Files.createDirectory(directory.resolve("elsewherf")));
        sameAsFresh();
        Files.delete(git);

        Files.move(workspace, directory.resolve("moved"));
        Files.createDirectory(workspace);
        assertThat(sameAsFresh()).as("another directory of the same name").isNotEqualTo(before);
        Files.delete(workspace);
        sameAsFresh();
        Files.createSymbolicLink(workspace, directory.resolve("moved"));
        sameAsFresh();
    }

    @Test
    void aChangeOfPermissionsIsSeenToo() throws IOException {
        sameAsFresh();
        Files.setPosixFilePermissions(workspace, PosixFilePermissions.fromString("r-xr-xr-x"));
        sameAsFresh();
        Files.setPosixFilePermissions(workspace, PosixFilePermissions.fromString("rwxr-xr-x"));
        sameAsFresh();
    }

    @Test
    void globsAreLookedForAnewEachTime() throws IOException {
        Entry glob = new Entry(new PolicyPath.Glob(workspace + "/*.env"), Access.DENY);
        ResolvedPolicy without = resolve(resolver, glob);
        Files.writeString(workspace.resolve("a.env"), "token");
        assertThat(resolve(resolver, glob)).isNotEqualTo(without);
    }

    @Test
    void moreThanTheBoundIsForgottenAndResolvedAgain() {
        ResolvedPolicy first = resolve(resolver);
        for (int i = 0; i < ResolutionMemory.MAX_POLICIES; i++) {
            ResolvedPolicy _ = resolve(resolver, Entry.of(PathUri.ofNative("/usr/nowhere" + i), Access.READ));
        }
        assertThat(resolve(resolver)).isEqualTo(first).isNotSameAs(first);
    }
}
