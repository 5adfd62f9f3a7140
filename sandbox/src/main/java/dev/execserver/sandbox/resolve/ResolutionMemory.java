package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.FileSystemPolicy.Restricted;
import dev.execserver.protocol.permissions.NetworkPolicy;
import dev.execserver.protocol.permissions.PolicyPath;
import dev.execserver.sandbox.resolve.ResolvedPolicy.Kind;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * What the last policies came to, and what was seen of the files for that. A resolution depends on nothing else, so when the
 * same policy comes again and every question about the files still has the same answer, the result is the same: asking again
 * costs a tenth of resolving again.
 *
 * <p>Any platform thread; the lock guards the table and is not held while files are asked about.
 */
final class ResolutionMemory {
    /** Policies that are remembered; the one that was not used for the longest time is given up. */
    static final int MAX_POLICIES = 128;

    /** Entries of a policy that is remembered. */
    static final int MAX_ENTRIES = 64;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Policy, Remembered> table = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Policy, Remembered> eldest) {
            return size() > MAX_POLICIES;
        }
    };

    /** What is resolved, and what it may not give away. */
    record Policy(
            Kind kind, Restricted files, NetworkPolicy network, PolicyDirectories directories, Reserved reserved) {

        /** A glob is looked for in whole trees, which is no cheaper the second time. */
        private boolean worthRemembering() {
            return files.entries().size() <= MAX_ENTRIES
                    && files.entries().stream().noneMatch(entry -> entry.path() instanceof PolicyPath.Glob);
        }
    }

    private record Remembered(ObservedFiles seen, ResolvedPolicy result) {}

    /** The policy as it was resolved before if that still holds, else resolved anew. */
    ResolvedPolicy resolve(Policy policy, FileView files, Function<FileView, ResolvedPolicy> resolution) {
        if (!policy.worthRemembering()) {
            return resolution.apply(files);
        }
        Optional<Remembered> known =
                find(policy).filter(remembered -> remembered.seen().unchanged());
        if (known.isPresent()) {
            return known.get().result();
        }
        ObservedFiles seen = new ObservedFiles(files);
        ResolvedPolicy result = resolution.apply(seen);
        if (seen.worthRemembering()) {
            keep(policy, new Remembered(seen, result));
        }
        return result;
    }

    private Optional<Remembered> find(Policy policy) {
        lock.lock();
        try {
            return Optional.ofNullable(table.get(policy));
        } finally {
            lock.unlock();
        }
    }

    private void keep(Policy policy, Remembered remembered) {
        lock.lock();
        try {
            table.put(policy, remembered);
        } finally {
            lock.unlock();
        }
    }
}
