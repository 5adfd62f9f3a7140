package dev.execserver.cli.client;

import dev.execserver.protocol.process.ExecApprovalClosedNotification;
import dev.execserver.protocol.process.ExecApprovalRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Questions that wait for a person, and which of them need no answer any more. A question may be closed before its thread has begun.
 * Any thread; {@code this} guards the collections.
 */
final class OpenQuestions {
    /** Number of closed questions that are remembered until their threads begin. */
    private static final int CLOSED_LIMIT = 256;

    private final Map<Key, Set<Open>> open = new HashMap<>();
    private final Map<Key, String> closedEarly = new LinkedHashMap<>();

    private record Key(String processId, long execId, Optional<String> approverId) {
        static Key of(ExecApprovalRequest question) {
            return new Key(question.processId(), question.execId(), question.approverId());
        }
    }

    /** Question that waits. Any thread. */
    static final class Open implements AutoCloseable {
        private final OpenQuestions all;
        private final Key key;
        private final CountDownLatch closed = new CountDownLatch(1);
        private volatile Optional<String> by = Optional.empty();

        private Open(OpenQuestions all, Key key) {
            this.all = all;
            this.key = key;
        }

        /** Returns who or what has closed it; empty as long as it needs an answer. */
        Optional<String> closedBy() {
            return by;
        }

        /** Waits until it is closed. Returns false if the time is over before. */
        boolean awaitClosed(Duration limit) throws InterruptedException {
            return closed.await(limit.toNanos(), TimeUnit.NANOSECONDS);
        }

        private void closeBy(String who) {
            by = Optional.of(who);
            closed.countDown();
        }

        /** Forgets it. */
        @Override
        public void close() {
            all.forget(this);
        }
    }

    synchronized Open add(ExecApprovalRequest question) {
        Key key = Key.of(question);
        Open added = new Open(this, key);
        String by = closedEarly.remove(key);
        if (by != null) {
            added.closeBy(by);
        }
        open.computeIfAbsent(key, _ -> new HashSet<>()).add(added);
        return added;
    }

    synchronized void close(ExecApprovalClosedNotification question) {
        Key key = new Key(question.processId(), question.execId(), question.approverId());
        Set<Open> found = open.get(key);
        if (found != null) {
            found.forEach(one -> one.closeBy(question.by()));
            return;
        }
        closedEarly.put(key, question.by());
        if (closedEarly.size() > CLOSED_LIMIT) {
            Iterator<Key> oldest = closedEarly.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    private synchronized void forget(Open gone) {
        Set<Open> same = open.get(gone.key);
        if (same != null && same.remove(gone) && same.isEmpty()) {
            open.remove(gone.key);
        }
    }
}
