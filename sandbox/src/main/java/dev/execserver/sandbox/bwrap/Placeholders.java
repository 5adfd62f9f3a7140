package dev.execserver.sandbox.bwrap;

import dev.execserver.protocol.permissions.ProtectedNames;
import dev.execserver.sandbox.limits.ControlGroups;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.resolve.FileId;
import dev.execserver.sandbox.resolve.Found;
import dev.execserver.sandbox.resolve.LinuxPath;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.resolve.Rule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Empty objects on the host that exist while commands run, because a mount needs something to be mounted on: where a
 * protected name is missing, the command must not be able to make it.
 *
 * <p>Commands that run at the same time share them; the last one takes them away, if they are still the empty objects that
 * were made. Other servers may rely on them too: each user of one holds a shared flock(2) on it, and it stays until the lock
 * can be had alone, for removing a directory silently undoes what is mounted on it elsewhere. After a kill the
 * {@link PlaceholderJournal} says what is left.
 *
 * <p>File workers call; the lock guards the table and is held across the few file operations on it, so that what one
 * command removes is not what another one has just found.
 */
public final class Placeholders implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Placeholders.class.getName());
    private static final int DIRECTORY_MODE = 0555;
    private static final int FILE_MODE = 0444;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<LinuxPath, Placeholder> table = new HashMap<>();
    private final Path directory;
    private PlaceholderJournal journal;

    private static final class Placeholder {
        final FileId id;
        final Fd fd;
        int users;

        Placeholder(FileId id, Fd fd) {
            this.id = id;
            this.fd = fd;
        }
    }

    private Placeholders(Path directory, PlaceholderJournal journal) {
        this.directory = directory;
        this.journal = journal;
    }

    /**
     * Removes what servers that were killed have left, and starts a journal.
     *
     * @param directory of this server, new
     */
    public static Placeholders open(Path directory) {
        cleanUpAfterOthers(directory);
        return new Placeholders(directory, PlaceholderJournal.create(directory));
    }

    /** The files changed between the look at them and the start; looking again may help. */
    public static final class ChangedException extends RuntimeException {
        ChangedException(String message) {
            super(message);
        }
    }

    /** What one command uses. */
    public final class Lease implements AutoCloseable {
        private final List<LinuxPath> paths = new ArrayList<>();
        private final List<Fd> foreign = new ArrayList<>();
        private final Set<LinuxPath> impossible = new HashSet<>();
        private boolean closed;

        /** Whether neither this server nor, without privilege, the command can make anything there. */
        boolean impossible(LinuxPath first) {
            return impossible.contains(first);
        }

        /** Takes away what nobody else uses. */
        @Override
        public void close() {
            lock.lock();
            try {
                if (closed) {
                    return;
                }
                closed = true;
                foreign.forEach(Fd::close);
                paths.forEach(Placeholders.this::release);
                removeUnused();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Whether the mount there will be a directory: what is blocked has a protected name; else a file. */
    static boolean isDirectory(Rule rule, LinuxPath first) {
        return rule.origin() == Rule.Origin.PROTECTED_NAME
                || ProtectedNames.ALL.stream()
                        .anyMatch(name -> Arrays.equals(name.getBytes(StandardCharsets.US_ASCII), first.name()));
    }

    /**
     * Looks whether the server's directory is still there, and makes it anew when somebody who tidies up temporary files has
     * removed it, or something in it.
     *
     * @throws ChangedException when it was made anew: policies that were resolved before do not hide it
     * @throws PolicyRefusedException when it cannot be made
     */
    public void ensureDirectory() {
        lock.lock();
        try {
            if (journal.present()) {
                return;
            }
            OwnDirectory.makeAnew(directory);
            journal.close();
            journal = PlaceholderJournal.create(directory);
            table.forEach((path, placeholder) -> journal.created(path, placeholder.id));
            throw new ChangedException("the directory " + directory + " of the server was removed; it was made anew");
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes what the policy needs.
     *
     * @throws ChangedException when something has appeared or gone since the policy was resolved
     * @throws LinuxException when it cannot be made
     */
    public Lease acquire(ResolvedPolicy policy) {
        Lease lease = new Lease();
        lock.lock();
        try {
            for (Rule rule : policy.rules()) {
                take(rule, lease);
            }
            return lease;
        } catch (RuntimeException e) {
            lease.close();
            throw e;
        } finally {
            lock.unlock();
        }
    }

    /** The policy as it would be without the placeholders of this server, which were found like anything else. */
    public ResolvedPolicy withoutPlaceholders(ResolvedPolicy policy) {
        lock.lock();
        try {
            return table.isEmpty()
                    ? policy
                    : policy.withRules(
                            policy.rules().stream().map(this::asMissing).toList());
        } finally {
            lock.unlock();
        }
    }

    private Rule asMissing(Rule rule) {
        Placeholder placeholder = table.get(rule.path());
        boolean ours = placeholder != null
                && switch (rule.found()) {
                    case Found.Directory(FileId id, boolean _) -> id.equals(placeholder.id);
                    case Found.File(FileId id, boolean _) -> id.equals(placeholder.id);
                    case Found.Missing _ -> false;
                };
        return ours ? new Rule(rule.path(), rule.access(), rule.origin(), new Found.Missing(rule.path())) : rule;
    }

    private void take(Rule rule, Lease lease) {
        switch (rule.found()) {
            case Found.Missing(LinuxPath first) -> use(first, isDirectory(rule, first), lease);
            case Found.Directory(FileId id, boolean empty) -> keep(rule.path(), id, empty, lease);
            case Found.File(FileId id, boolean empty) -> keep(rule.path(), id, empty, lease);
        }
    }

    private void use(LinuxPath path, boolean directory, Lease lease) {
        Placeholder placeholder = table.get(path);
        if (placeholder == null) {
            try {
                placeholder = make(path, directory);
            } catch (LinuxException e) {
                if (e.errno() == Errno.EACCES || e.errno() == Errno.EROFS || e.errno() == Errno.EPERM) {
                    lease.impossible.add(path);
                    return;
                }
                throw e;
            }
            table.put(path, placeholder);
        }
        if (!lease.paths.contains(path)) {
            placeholder.users++;
            lease.paths.add(path);
        }
    }

    /** What was found empty may be a placeholder, of this server or of another one. */
    private void keep(LinuxPath path, FileId id, boolean empty, Lease lease) {
        Placeholder placeholder = table.get(path);
        if (placeholder != null && placeholder.id.equals(id)) {
            placeholder.users++;
            lease.paths.add(path);
        } else if (empty) {
            lease.foreign.add(lock(path, id));
        }
    }

    private Placeholder make(LinuxPath path, boolean directory) {
        journal.intend(path);
        try {
            if (directory) {
                EntryCalls.makeDirectory(path.bytes(), DIRECTORY_MODE);
            } else {
                EntryCalls.makeFile(path.bytes(), FILE_MODE);
            }
        } catch (LinuxException e) {
            journal.removed(path, table.isEmpty());
            if (e.errno() == Errno.EEXIST) {
                throw new ChangedException(path + " appeared while the sandbox was being prepared");
            }
            throw e;
        }
        FileId id = id(path);
        journal.created(path, id);
        return new Placeholder(id, lock(path, id));
    }

    private static FileId id(LinuxPath path) {
        FileStatus status = FileCalls.status(path.bytes(), false);
        return new FileId(status.device(), status.inode());
    }

    /** Opens it and holds a shared lock, so that it stays. */
    private static Fd lock(LinuxPath path, FileId expected) {
        try {
            Fd fd = FileCalls.open(path.bytes(), FileCalls.O_RDONLY | FileCalls.O_NONBLOCK | FileCalls.O_NOCTTY, 0);
            boolean held = EntryCalls.tryLockShared(fd);
            if (held && id(path).equals(expected)) {
                return fd;
            }
            fd.close();
        } catch (LinuxException e) {
            if (e.errno() != Errno.ENOENT) {
                throw e;
            }
        }
        throw new ChangedException(path + " went away while the sandbox was being prepared");
    }

    private void release(LinuxPath path) {
        Placeholder placeholder = table.get(path);
        if (placeholder != null) {
            placeholder.users--;
        }
    }

    private void removeUnused() {
        for (Map.Entry<LinuxPath, Placeholder> entry : List.copyOf(table.entrySet())) {
            if (entry.getValue().users == 0) {
                remove(entry.getKey(), entry.getValue());
            }
        }
    }

    private void remove(LinuxPath path, Placeholder placeholder) {
        if (!EntryCalls.tryLockExclusive(placeholder.fd)) {
            return; // another server uses it; the next release tries again
        }
        placeholder.fd.close(); // and the lock with it, which the removal takes for itself once more
        try {
            PlaceholderJournal.removeIfUntouched(path, placeholder.id.inode());
        } catch (LinuxException e) {
            LOG.log(System.Logger.Level.WARNING, "cannot remove {0}: {1}", path, e.getMessage());
        }
        table.remove(path);
        journal.removed(path, table.isEmpty());
    }

    /** Removes what no command uses any more; what other servers use stays until they, or their successors, remove it. */
    @Override
    public void close() {
        lock.lock();
        try {
            table.values().forEach(placeholder -> placeholder.users = 0);
            removeUnused();
            table.values().forEach(placeholder -> placeholder.fd.close());
            journal.close();
        } finally {
            lock.unlock();
        }
    }

    /** How many there are now. */
    int count() {
        lock.lock();
        try {
            return table.size();
        } finally {
            lock.unlock();
        }
    }

    private static void cleanUpAfterOthers(Path own) {
        Optional<Path> parent = Optional.ofNullable(own.getParent());
        if (parent.isEmpty()) {
            return;
        }
        try (DirectoryStream<Path> siblings = Files.newDirectoryStream(
                parent.get(), own.getFileName().toString().replaceAll("-[^-]*$", "-*"))) {
            for (Path sibling : siblings) {
                cleanUp(sibling.resolve(PlaceholderJournal.NAME));
            }
        } catch (IOException | UncheckedIOException | LinuxException e) {
            LOG.log(System.Logger.Level.WARNING, "cannot clean up after earlier servers: {0}", e.getMessage());
        }
    }

    private static void cleanUp(Path journal) throws IOException {
        if (!Files.isRegularFile(journal) || !Files.getOwner(journal).equals(Files.getOwner(Path.of("/proc/self")))) {
            return;
        }
        Optional<Fd> lock = PlaceholderJournal.takeOver(journal);
        if (lock.isEmpty()) {
            return;
        }
        try (Fd _ = lock.get()) {
            for (Map.Entry<LinuxPath, Long> left :
                    PlaceholderJournal.leftBehind(journal).entrySet()) {
                PlaceholderJournal.removeIfUntouched(left.getKey(), left.getValue());
                LOG.log(System.Logger.Level.INFO, "removed {0}, left by a server that was killed", left.getKey());
            }
            LinkJournal.restoreAfter(journal.getParent());
            ControlGroups.removeAfter(journal.getParent());
            Files.delete(journal);
            Files.deleteIfExists(journal.getParent());
        }
    }
}
