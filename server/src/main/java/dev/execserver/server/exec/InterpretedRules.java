package dev.execserver.server.exec;

import dev.execserver.protocol.process.ExecPolicyParams;
import dev.execserver.protocol.process.ExecPolicyParams.RulesText;
import dev.execserver.protocol.process.PrefixRuleParams;
import dev.execserver.server.rules.RuleSet;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The rule sets that were interpreted last, by the texts that they were made of. Texts that are long are not kept. Any thread;
 * {@code lock} guards the queue.
 */
final class InterpretedRules {
    private static final int MAX_SETS = 8;
    private static final int MAX_CHARACTERS = 256 * 1024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Known> sets = new ArrayDeque<>();

    private record Known(List<RulesText> texts, List<PrefixRuleParams> prefixes, RuleSet rules) {
        boolean madeOf(ExecPolicyParams policy) {
            return texts.equals(policy.rules()) && prefixes.equals(policy.prefixRules());
        }
    }

    Optional<RuleSet> find(ExecPolicyParams policy) {
        lock.lock();
        try {
            return sets.stream()
                    .filter(known -> known.madeOf(policy))
                    .map(Known::rules)
                    .findFirst();
        } finally {
            lock.unlock();
        }
    }

    void add(ExecPolicyParams policy, RuleSet rules) {
        if (policy.characters() > MAX_CHARACTERS) {
            return;
        }
        lock.lock();
        try {
            if (sets.size() == MAX_SETS) {
                sets.removeLast();
            }
            sets.addFirst(new Known(policy.rules(), policy.prefixRules(), rules));
        } finally {
            lock.unlock();
        }
    }
}
