package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.FileSystemPolicy.Restricted;
import dev.execserver.protocol.permissions.NetworkPolicy;
import dev.execserver.protocol.permissions.PolicyPath;
import dev.execserver.sandbox.paths.FileView;
import dev.execserver.sandbox.paths.ObservedFiles;
import dev.execserver.sandbox.resolve.ResolvedPolicy.Kind;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Cache of resolved policies, each with the answers that its resolution got from the file system. A resolution depends on
 * nothing else. So if the same policy comes again and the file system still gives the same answers, the result is the same.
 * Asking again costs a tenth of resolving again.
 *
 * <p>Any platform thread. The lock guards the table and is not held while the file system is asked.
 */
final class ResolutionMemory {
    /** Largest number of remembered policies; the least recently used one is dropped. */
    static final int MAX_POLICIES = 128;

    /** Most entries of a policy that is remembered. */
    static final int MAX_ENTRIES = 64;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Policy, Remembered> table = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Policy, Remembered> eldest) {
            return size() > MAX_POLICIES;
        }
    };

    /** Key of the cache: all inputs of a resolution but the files. */
    record Policy(
            Kind kind, Restricted files, NetworkPolicy network, PolicyDirectories directories, ServerPaths reserved) {

        /** Returns false for many entries and for globs: a glob searches whole trees, which is no cheaper the second time. */
        private boolean worthRemembering() {
            return files.entries().size() <= MAX_ENTRIES
                    && files.entries().stream().noneMatch(entry -> entry.path() instanceof PolicyPath.Glob);
        }
    }

    private record Remembered(ObservedFiles seen, ResolvedPolicy result) {}

    /** Returns the remembered policy if it still holds, else resolves it again. */
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
