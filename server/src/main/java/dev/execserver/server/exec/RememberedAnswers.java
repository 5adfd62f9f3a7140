package dev.execserver.server.exec;

import dev.execserver.protocol.process.ExecApprovalAnswer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Answers of a client that hold for the same exec again. Bounded; the oldest is forgotten, so that the client is asked again.
 * Any thread; {@code lock} guards the map.
 */
public final class RememberedAnswers {
    static final int MAX_ANSWERS = 1_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<ExecKey, ExecApprovalAnswer> answers = new LinkedHashMap<>();

    Optional<ExecApprovalAnswer> find(ExecKey key) {
        lock.lock();
        try {
            return Optional.ofNullable(answers.get(key));
        } finally {
            lock.unlock();
        }
    }

    void add(ExecKey key, ExecApprovalAnswer answer) {
        lock.lock();
        try {
            answers.put(key, answer);
            if (answers.size() > MAX_ANSWERS) {
                answers.remove(answers.keySet().iterator().next());
            }
        } finally {
            lock.unlock();
        }
    }
}
