package dev.execserver.sandbox.bwrap;

import dev.execserver.protocol.permissions.ProtectedNames;
import dev.execserver.sandbox.ledger.KeptFiles;
import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.outcome.FilesChangedException;
import dev.execserver.sandbox.paths.FileId;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.resolve.Rule;
import dev.execserver.sandbox.resolve.RuleTarget;
import dev.execserver.sandbox.spawn.Retry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Empty objects on the host that exist while commands run. If a protected name is missing, a mount must keep the command from
 * creating it, and a mount needs an object below it. The user may fill an object meanwhile; then it stays.
 *
 * <p>Commands that run at the same time share placeholders, also those of other servers, because removing a directory
 * silently removes mounts on it elsewhere. Each server holds a shared flock(2) on the placeholders that it uses. After its
 * last use, a server tries to get the lock exclusively. If it succeeds, it removes the object, if that is still empty and has
 * the mark of a placeholder ({@link PlaceholderFile}), whichever server has made it. So the last user removes it. If others
 * hold the lock for a moment, or the file system has no such modes, it tries again. After a kill
 * the locks last until the guardian has killed the commands ({@link KeptFiles}); then it removes the entries of the
 * {@link Ledger}.
 *
 * <p>File workers call it, and the retrying thread. The lock guards the table and is held across the few file operations on
 * it, so that one command does not remove an object that another one has just found.
 */
public final class Placeholders implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Placeholders.class.getName());

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<LinuxPath, Placeholder> table = new HashMap<>();
    /** Placeholders whose path leads to something else now. They are removed where they are, after their last command. */
    private final List<Placeholder> displaced = new ArrayList<>();

    private final Ledger ledger;

    private final Retry retry = new Retry("placeholders", this::tidy);

    /** @param ledger ledger of this server */
    public Placeholders(Ledger ledger) {
        this.ledger = ledger;
    }

    /** The placeholders that one command uses. */
    public final class Lease implements AutoCloseable {
        private final Map<LinuxPath, Placeholder> taken = new HashMap<>();
        private final List<PlaceholderFile> foreign = new ArrayList<>();
        private final List<PlaceholderFile> unneeded = new ArrayList<>();
        private final Set<LinuxPath> impossible = new HashSet<>();
        private final List<KeptFiles.Kept> kept = new ArrayList<>();
        private boolean returned;

        private void lend(PlaceholderFile file) {
            foreign.add(file);
            kept.add(ledger.kept().keep(file.fd()));
        }

        /** Returns true if neither this server nor an unprivileged command can make anything there. */
        boolean impossible(LinuxPath first) {
            return impossible.contains(first);
        }

        /** Returns the identity of the object that was made there. */
        FileId id(LinuxPath first) {
            return taken.get(first).id();
        }

        /**
         * Removes the placeholders that no other command uses. Only the names are removed. The objects stay open until
         * {@link #close}, because a file system takes ten times as long to free a directory as to remove its name.
         */
        void giveBack() {
            lock.lock();
            try {
                if (returned) {
                    return;
                }
                returned = true;
                unneeded.addAll(foreign);
                foreign.forEach(file -> EntryCalls.unlock(file.fd()));
                kept.forEach(KeptFiles.Kept::close);
                taken.values().forEach(Placeholder::leave);
                unneeded.addAll(removeUnused());
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            giveBack();
            unneeded.forEach(PlaceholderFile::close);
        }
    }

    /** Returns true if the mount there must be a directory, which is so for protected names but {@code commondir}; false for a file. */
    static boolean isDirectory(Rule rule, LinuxPath first) {
        return rule.origin() == Rule.Origin.PROTECTED_NAME && !PlaceholderContent.isCommonDirectory(first)
                || ProtectedNames.ALL.stream()
                        .anyMatch(name -> Arrays.equals(name.getBytes(StandardCharsets.US_ASCII), first.name()));
    }

    /**
     * Makes the placeholders that the policy needs.
     *
     * @throws FilesChangedException if a file has appeared or gone since the policy was resolved
     * @throws LinuxException if one cannot be made
     */
    public Lease acquire(ResolvedPolicy policy) {
        Lease lease = new Lease();
        lock.lock();
        try {
            makeMissing(policy, lease);
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

    /**
     * Returns the policy without placeholders, which the resolution has found like any other file.
     *
     * @throws FilesChangedException if one went away meanwhile
     */
    public ResolvedPolicy withoutPlaceholders(ResolvedPolicy policy) {
        lock.lock();
        try {
            return policy.withRules(policy.rules().stream().map(this::asMissing).toList());
        } finally {
            lock.unlock();
        }
    }

    private Rule asMissing(Rule rule) {
        Placeholder placeholder = table.get(rule.path());
        boolean ours = placeholder != null
                && switch (rule.found()) {
                    case RuleTarget.Directory(FileId id, boolean _) -> id.equals(placeholder.id());
                    case RuleTarget.File(FileId id, boolean _) -> id.equals(placeholder.id());
                    case RuleTarget.Missing _ -> false;
                };
        boolean others = rule.origin() == Rule.Origin.PROTECTED_NAME
                && rule.found() instanceof RuleTarget.Directory(FileId _, boolean empty)
                && empty
                && ofAnotherServer(rule);
        return ours || others
                ? new Rule(rule.path(), rule.access(), rule.origin(), new RuleTarget.Missing(rule.path()))
                : rule;
    }

    private void makeMissing(ResolvedPolicy policy, Lease lease) {
        for (Rule rule : policy.rules()) {
            if (rule.found() instanceof RuleTarget.Missing(LinuxPath first)
                    && !lease.impossible(first)
                    && !present(first)) {
                Optional<HeldDirectory> directory = HeldDirectory.open(first.parent());
                directory.ifPresent(opened -> requireFound(policy, first.parent(), opened));
                if (directory.isEmpty() || !make(first, directory.get(), isDirectory(rule, first))) {
                    lease.impossible.add(first);
                }
            }
        }
    }

    /** Requires the directory that the resolution has found, where the policy has a rule for it. */
    private static void requireFound(ResolvedPolicy policy, LinuxPath path, HeldDirectory opened) {
        for (Rule rule : policy.rules()) {
            if (rule.path().equals(path)
                    && rule.found() instanceof RuleTarget.Directory(FileId id, boolean _)
                    && !id.equals(opened.id())) {
                opened.close();
                throw PlaceholderFile.gone(path);
            }
        }
    }

    /**
     * Makes a placeholder. The ledger gets the entry before the object exists, and its identity afterwards.
     *
     * @param in is closed if nothing is made
     * @return false if nothing can be made there
     */
    private boolean make(LinuxPath path, HeldDirectory in, boolean directory) {
        Ledger.Entry entry = ledger.intend(Ledger.Kind.PLACEHOLDER, path.bytes(), in.status());
        Optional<PlaceholderFile> made = Optional.empty();
        try {
            made = PlaceholderFile.make(path, in, directory);
            if (made.isEmpty()) {
                return false;
            }
            entry.identify(FileCalls.status(made.get().fd()));
            Placeholder placeholder = new Placeholder(
                    made.get(), entry, ledger.kept().keep(made.get().fd()));
            table.put(path, placeholder);
            placeholder.letUserIn();
            return true;
        } finally {
            if (!table.containsKey(path)) {
                made.ifPresent(PlaceholderFile::close);
                in.close();
                entry.close();
            }
        }
    }

    private Ledger.Entry entry(PlaceholderFile file) {
        try {
            return ledger.add(
                    Ledger.Kind.PLACEHOLDER,
                    file.path().bytes(),
                    FileCalls.status(file.fd()),
                    file.directory().status());
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private void take(Rule rule, Lease lease) {
        switch (rule.found()) {
            case RuleTarget.Missing(LinuxPath first) -> use(first, lease);
            case RuleTarget.Directory(FileId id, boolean empty) -> keep(rule, id, empty, lease);
            case RuleTarget.File(FileId id, boolean empty) -> keep(rule, id, empty, lease);
        }
    }

    private void use(LinuxPath path, Lease lease) {
        if (!lease.impossible(path)) {
            count(table.get(path), lease);
        }
    }

    private static void count(Placeholder placeholder, Lease lease) {
        if (!lease.taken.containsKey(placeholder.path())) {
            placeholder.use();
            lease.taken.put(placeholder.path(), placeholder);
        }
    }

    /**
     * Returns true if the placeholder exists. One that was removed meanwhile must be made again here, because bubblewrap
     * would make an object that no server removes.
     */
    private boolean present(LinuxPath path) {
        Placeholder known = table.get(path);
        if (known == null || known.present()) {
            return known != null;
        }
        forget(known);
        return false;
    }

    private void forget(Placeholder placeholder) {
        table.remove(placeholder.path());
        displaced.add(placeholder);
    }

    /** Uses the found object if it is a placeholder, of this server or of another one. */
    private void keep(Rule rule, FileId id, boolean empty, Lease lease) {
        Placeholder known = table.get(rule.path());
        if (known != null && known.id().equals(id)) {
            count(known, lease);
        } else if (ofAnotherServer(rule)) {
            PlaceholderFile.lock(rule.path(), id).ifPresent(file -> count(adopt(file), lease));
        } else if (empty) {
            // On a file system without the mark.
            PlaceholderFile.lock(rule.path(), id).ifPresent(lease::lend);
        }
    }

    /**
     * Returns true if it is a placeholder of another server. Writable places have no mount on them, and matches of globs may
     * appear while a command runs.
     */
    private static boolean ofAnotherServer(Rule rule) {
        if (rule.access().writable() || rule.origin() == Rule.Origin.GLOB) {
            return false;
        }
        try {
            return PlaceholderFile.marked(
                    rule.path(), FileCalls.status(rule.path().bytes(), false));
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                throw PlaceholderFile.gone(rule.path());
            }
            return false;
        }
    }

    /** Adds a placeholder of another server to the table, so that this server removes it if it is the last user. */
    private Placeholder adopt(PlaceholderFile file) {
        Optional.ofNullable(table.get(file.path())).ifPresent(this::forget);
        Placeholder adopted = new Placeholder(file, entry(file), ledger.kept().keep(file.fd()));
        table.put(file.path(), adopted);
        return adopted;
    }

    private List<Placeholder> all() {
        return Stream.concat(table.values().stream(), displaced.stream()).toList();
    }

    /** @return the removed objects, which the caller closes */
    private List<PlaceholderFile> removeUnused() {
        List<Placeholder> gone = all().stream()
                .filter(placeholder -> placeholder.unused() && placeholder.tryRemove())
                .toList();
        gone.forEach(this::settle);
        if (anyUnused()) {
            retry.start();
        }
        return gone.stream().map(Placeholder::file).toList();
    }

    private void settle(Placeholder placeholder) {
        if (!displaced.remove(placeholder)) {
            table.remove(placeholder.path());
        }
        placeholder.settled();
    }

    private boolean anyUnused() {
        return all().stream().anyMatch(Placeholder::unused);
    }

    private boolean tidy() {
        lock.lock();
        try {
            removeUnused().forEach(PlaceholderFile::close);
            return !anyUnused();
        } catch (LinuxException e) {
            LOG.log(System.Logger.Level.WARNING, "cannot take back what commands needed: {0}", e.getMessage());
            return true; // until the next command ends
        } finally {
            lock.unlock();
        }
    }

    /** Removes the placeholders of this server. Those that other servers use stay until they remove them. */
    @Override
    public void close() {
        retry.close();
        lock.lock();
        try {
            all().forEach(Placeholder::leaveAll);
            removeUnused().forEach(PlaceholderFile::close);
            for (Placeholder left : all()) {
                settle(left);
                left.file().close();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns the present number of placeholders. */
    int count() {
        lock.lock();
        try {
            return table.size() + displaced.size();
        } finally {
            lock.unlock();
        }
    }
}
