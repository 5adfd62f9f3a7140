package dev.execserver.sandbox.bwrap;

import dev.execserver.protocol.permissions.ProtectedNames;
import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.resolve.FileId;
import dev.execserver.sandbox.resolve.Found;
import dev.execserver.sandbox.resolve.LinuxPath;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.resolve.Rule;
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

/**
 * Empty objects on the host that exist while commands run, because a mount needs something to be mounted on: where a
 * protected name is missing, the command must not be able to make it. Its user may fill them meanwhile; then they stay.
 *
 * <p>Commands that run at the same time share them, those of other servers as well, for removing a directory silently undoes
 * what is mounted on it elsewhere. Each server that uses one holds a shared flock(2) on it. Whoever does not need it any more
 * tries to have the lock alone, and removes it then, if it is still the empty object that was made, whoever has made it: a
 * mark in its mode tells ({@link PlaceholderFile}). So the last one takes it away. Where the lock is held by somebody who does
 * not, for a moment or on a file system without such modes, it is tried again. After a kill the guardian removes what the {@link
 * Ledger} lists.
 *
 * <p>File workers call, and the thread that tries again; the lock guards the table and is held across the few file operations
 * on it, so that what one command removes is not what another one has just found.
 */
public final class Placeholders implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Placeholders.class.getName());

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<LinuxPath, Placeholder> table = new HashMap<>();
    private final Ledger ledger;

    private final Retry retry = new Retry("placeholders", this::tidy);

    /** @param ledger of this server */
    public Placeholders(Ledger ledger) {
        this.ledger = ledger;
    }

    /** The files changed between the look at them and the start; looking again may help. */
    public static final class ChangedException extends RuntimeException {
        ChangedException(String message) {
            super(message);
        }
    }

    /** What one command uses. */
    public final class Lease implements AutoCloseable {
        private final Map<LinuxPath, Placeholder> taken = new HashMap<>();
        private final List<Fd> foreign = new ArrayList<>();
        private final List<Fd> unneeded = new ArrayList<>();
        private final Set<LinuxPath> impossible = new HashSet<>();
        private boolean returned;

        /** Whether neither this server nor, without privilege, the command can make anything there. */
        boolean impossible(LinuxPath first) {
            return impossible.contains(first);
        }

        /** Which object it is that was made there. */
        FileId id(LinuxPath first) {
            return taken.get(first).id();
        }

        /**
         * Takes away what nobody else uses. Only the names go: what they named is kept open until {@link #close}, because
         * a file system needs ten times as long to give up a directory as to forget its name.
         */
        void giveBack() {
            lock.lock();
            try {
                if (returned) {
                    return;
                }
                returned = true;
                unneeded.addAll(foreign);
                foreign.forEach(EntryCalls::unlock);
                taken.values().forEach(Placeholder::leave);
                unneeded.addAll(removeUnused());
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            giveBack();
            unneeded.forEach(Fd::close);
        }
    }

    /** Whether the mount there will be a directory: what is blocked has a protected name; else a file. */
    static boolean isDirectory(Rule rule, LinuxPath first) {
        return rule.origin() == Rule.Origin.PROTECTED_NAME
                || ProtectedNames.ALL.stream()
                        .anyMatch(name -> Arrays.equals(name.getBytes(StandardCharsets.US_ASCII), first.name()));
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
     * The policy as it would be without placeholders, which were found like anything else.
     *
     * @throws ChangedException when one went away meanwhile
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
                    case Found.Directory(FileId id, boolean _) -> id.equals(placeholder.id());
                    case Found.File(FileId id, boolean _) -> id.equals(placeholder.id());
                    case Found.Missing _ -> false;
                };
        boolean others = rule.origin() == Rule.Origin.PROTECTED_NAME
                && rule.found() instanceof Found.Directory(FileId _, boolean empty)
                && empty
                && ofAnotherServer(rule);
        return ours || others
                ? new Rule(rule.path(), rule.access(), rule.origin(), new Found.Missing(rule.path()))
                : rule;
    }

    private void makeMissing(ResolvedPolicy policy, Lease lease) {
        for (Rule rule : policy.rules()) {
            if (rule.found() instanceof Found.Missing(LinuxPath first) && !lease.impossible(first) && !present(first)) {
                make(first, isDirectory(rule, first), lease);
            }
        }
    }

    /** The guardian learns of it before it is there, and which one it is afterwards. */
    private void make(LinuxPath path, boolean directory, Lease lease) {
        Optional<Ledger.Entry> entry = ledger.intend(Ledger.Kind.PLACEHOLDER, path.bytes());
        try {
            Optional<PlaceholderFile> made = PlaceholderFile.make(path, directory);
            if (made.isEmpty()) {
                entry.ifPresent(Ledger.Entry::close);
                lease.impossible.add(path);
                return;
            }
            Ledger.Entry known = entry.orElseGet(() -> entry(path, made.get()));
            known.identify(FileCalls.status(made.get().fd()));
            Placeholder placeholder = new Placeholder(path, made.get(), known);
            table.put(path, placeholder);
            placeholder.letUserIn();
        } catch (RuntimeException e) {
            entry.ifPresent(Ledger.Entry::close);
            throw e;
        }
    }

    private Ledger.Entry entry(LinuxPath path, PlaceholderFile file) {
        try {
            return ledger.add(Ledger.Kind.PLACEHOLDER, path.bytes(), FileCalls.status(file.fd()));
        } catch (RuntimeException e) {
            file.fd().close();
            throw e;
        }
    }

    private void take(Rule rule, Lease lease) {
        switch (rule.found()) {
            case Found.Missing(LinuxPath first) -> use(first, lease);
            case Found.Directory(FileId id, boolean empty) -> keep(rule, id, empty, lease);
            case Found.File(FileId id, boolean empty) -> keep(rule, id, empty, lease);
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

    /** False also when somebody has removed it meanwhile, which bubblewrap would make up for, and nobody take away. */
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
        placeholder.settled();
        placeholder.fd().close();
    }

    /** What was found may be a placeholder, of this server or of another one. */
    private void keep(Rule rule, FileId id, boolean empty, Lease lease) {
        Placeholder known = table.get(rule.path());
        if (known != null && known.id().equals(id)) {
            count(known, lease);
        } else if (ofAnotherServer(rule)) {
            PlaceholderFile.lock(rule.path(), id).ifPresent(file -> count(adopt(rule.path(), file), lease));
        } else if (empty) {
            // On a file system without the mark.
            PlaceholderFile.lock(rule.path(), id).ifPresent(file -> lease.foreign.add(file.fd()));
        }
    }

    /** Nothing is mounted for what may be written, and what matches a glob may come while a command runs. */
    private static boolean ofAnotherServer(Rule rule) {
        if (rule.access().writable() || rule.origin() == Rule.Origin.GLOB) {
            return false;
        }
        try {
            return PlaceholderFile.marked(FileCalls.status(rule.path().bytes(), false));
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                throw PlaceholderFile.gone(rule.path());
            }
            return false;
        }
    }

    /** Another server's: it is removed here when this server is the last that uses it. */
    private Placeholder adopt(LinuxPath path, PlaceholderFile file) {
        Optional.ofNullable(table.get(path)).ifPresent(this::forget);
        Placeholder adopted = new Placeholder(path, file, entry(path, file));
        table.put(path, adopted);
        return adopted;
    }

    /** @return what was removed, still open */
    private List<Fd> removeUnused() {
        List<Placeholder> gone = table.values().stream()
                .filter(placeholder -> placeholder.unused() && placeholder.tryRemove())
                .toList();
        for (Placeholder placeholder : gone) {
            table.remove(placeholder.path());
            placeholder.settled();
        }
        if (anyUnused()) {
            retry.start();
        }
        return gone.stream().map(Placeholder::fd).toList();
    }

    private boolean anyUnused() {
        return table.values().stream().anyMatch(Placeholder::unused);
    }

    private boolean tidy() {
        lock.lock();
        try {
            removeUnused().forEach(Fd::close);
            return !anyUnused();
        } catch (LinuxException e) {
            LOG.log(System.Logger.Level.WARNING, "cannot take back what commands needed: {0}", e.getMessage());
            return true; // until the next command ends
        } finally {
            lock.unlock();
        }
    }

    /** Removes what no command uses any more; what those of other servers use stays until they remove it. */
    @Override
    public void close() {
        retry.close();
        lock.lock();
        try {
            table.values().forEach(Placeholder::leaveAll);
            removeUnused().forEach(Fd::close);
            List.copyOf(table.values()).forEach(this::forget);
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
}
