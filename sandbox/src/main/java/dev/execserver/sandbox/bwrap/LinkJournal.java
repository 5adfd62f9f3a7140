package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.outcome.FilesChangedException;
import dev.execserver.sandbox.outcome.LinkViolation;
import dev.execserver.sandbox.paths.CrossedLink;
import java.util.ArrayList;
import java.util.List;

/**
 * The links that a running command must not change. They are also in the {@link Ledger}, so that the guardian restores them
 * after the server was killed. Used by one thread at a time; touches files.
 */
final class LinkJournal implements AutoCloseable {
    private final List<CrossedLink> links;
    private final GuardedLinks guarded;
    private final List<CrossedLink> entered = new ArrayList<>();
    private final List<Ledger.Entry> entries = new ArrayList<>();

    private LinkJournal(GuardedLinks guarded, List<CrossedLink> links) {
        this.guarded = guarded;
        this.links = links;
    }

    /** @throws FilesChangedException if a link is not as it was when the policy was resolved */
    static LinkJournal open(Ledger ledger, GuardedLinks guarded, List<CrossedLink> links) {
        LinkJournal journal = new LinkJournal(guarded, links);
        try {
            for (CrossedLink link : links) {
                guarded.enter(link);
                journal.entered.add(link);
                journal.entries.add(ledger.addLink(link.path().bytes(), link.target()));
            }
            return journal;
        } catch (RuntimeException e) {
            journal.close();
            throw e;
        }
    }

    /** Restores the links, after the command has ended. */
    List<LinkViolation> restore() {
        List<LinkViolation> violations = LinkGuard.restore(links);
        close();
        return violations;
    }

    @Override
    public void close() {
        entries.forEach(Ledger.Entry::close);
        entered.forEach(guarded::leave);
        entered.clear();
    }
}
