package dev.execserver.server.sandbox;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.sandbox.bwrap.ServerFolder;
import dev.execserver.sandbox.bwrap.SharedLinks;
import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.paths.LinuxPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Folder of one running server for state that must be in a file system, below the fixed folder of its user
 * ({@link StateFolders}). No sandboxed command of any server of this user sees it. The server removes it at its end.
 * After a kill the guardian removes it, or the next server, which sees by the missing lock that its owner is gone. One
 * thread at a time.
 */
public final class RuntimeDirectory implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RuntimeDirectory.class);
    private static final String PREFIX = "exec-server-";
    private static final String LINKS = "links";

    private final StateFolders folders;
    private final ServerFolder own;

    private RuntimeDirectory(StateFolders folders, ServerFolder own) {
        this.folders = folders;
        this.own = own;
    }

    /**
     * Creates the folder.
     *
     * @param stateDirectory the folder of {@code --state-dir}; empty for the fixed folder of the user
     * @param ledger makes the guardian remove the folder
     * @throws ConfigException if there is no place that only this user's servers can change
     */
    public static RuntimeDirectory create(Optional<Path> stateDirectory, Ledger ledger) {
        return create(StateFolders.take(stateDirectory), ledger);
    }

    static RuntimeDirectory create(StateFolders folders, Ledger ledger) {
        try {
            for (StateRegister register : folders.registers()) {
                register.tidy(own -> !Files.exists(own)
                        || lockOfDead(own).map(RuntimeDirectory::release).isPresent());
            }
            folders.taken().forEach(RuntimeDirectory::removeDead);
            RuntimeDirectory made = new RuntimeDirectory(
                    folders, ServerFolder.make(LinuxPath.of(folders.home().toString()), PREFIX, ledger));
            folders.announce(made.name(), ledger);
            return made;
        } catch (IOException | LinuxException e) {
            folders.close();
            throw ConfigException.failure(
                    "cannot make a folder in " + folders.home() + ": " + e.getMessage() + "; see --state-dir");
        } catch (RuntimeException e) {
            folders.close();
            throw e;
        }
    }

    private static boolean release(Fd lock) {
        lock.close();
        return true;
    }

    /** Removes the folders of servers that are gone. Does not use anything in them. */
    private static void removeDead(Path home) {
        try (DirectoryStream<Path> siblings = Files.newDirectoryStream(home, PREFIX + "*")) {
            for (Path sibling : siblings) {
                Optional<Fd> lock = lockOfDead(sibling);
                if (lock.isPresent()) {
                    try (Fd _ = lock.get()) {
                        remove(sibling);
                        LOG.warn(
                                "removed {}, left by a server that was killed together with its guardian or had none; what"
                                        + " else it has left is not known: empty directories like .git in workspaces of"
                                        + " its commands",
                                sibling);
                    }
                }
            }
        } catch (IOException e) {
            LOG.warn("cannot look for what servers that were killed have left in {}: {}", home, e.toString());
        }
    }

    private static Optional<Fd> lockOfDead(Path directory) {
        try {
            Fd fd = FileCalls.open(
                    StateFolder.bytes(directory), FileCalls.O_RDONLY | FileCalls.O_DIRECTORY | FileCalls.O_NOFOLLOW, 0);
            if (EntryCalls.tryLockExclusive(fd)) {
                return Optional.of(fd);
            }
            fd.close();
        } catch (LinuxException e) {
            LOG.debug("cannot lock {}: {}", directory, e.getMessage());
        }
        return Optional.empty();
    }

    /** The private folder of this server, mode 700. */
    public Path path() {
        return Path.of(own.path().toString());
    }

    /** The same folder, for callers that must check that it still exists. */
    public ServerFolder own() {
        return own;
    }

    /** Returns what this server knows of links that other servers of the user guard. */
    SharedLinks links() {
        return new SharedLinks(folders.taken().stream()
                .map(folder -> LinuxPath.of(folder.resolve(LINKS).toString()))
                .toList());
    }

    /** The name of this server, unique among the servers of this user. */
    public String name() {
        return path().getFileName().toString();
    }

    /** The folders that no sandboxed command may see. */
    public List<Path> hidden() {
        return folders.hidden();
    }

    @Override
    public void close() {
        try {
            remove(path());
        } finally {
            own.close();
            folders.close();
        }
    }

    private static void remove(Path directory) {
        if (!Files.exists(directory)) {
            return; // a program that removes temporary files was faster
        }
        try (Stream<Path> walk = Files.walk(directory)) {
            for (Path entry : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(entry);
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("cannot remove {}: {}", directory, e.toString());
        }
    }
}
