package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.resolve.CrossedLink;
import java.util.ArrayList;
import java.util.List;

/**
 * The links that a running command must not change. They are also in the {@link Ledger}, so that the guardian restores them
 * after the server was killed. Used by one thread at a time; touches files.
 */
final class LinkJournal implements AutoCloseable {
    private final List<CrossedLink> links;
    private final List<Ledger.Entry> entries;

    private LinkJournal(List<CrossedLink> links, List<Ledger.Entry> entries) {
        this.links = links;
        this.entries = entries;
    }

    static LinkJournal open(Ledger ledger, List<CrossedLink> links) {
        List<Ledger.Entry> entries = new ArrayList<>();
        try {
            links.forEach(link -> entries.add(ledger.addLink(link.path().bytes(), link.target())));
            return new LinkJournal(links, entries);
        } catch (RuntimeException e) {
            entries.forEach(Ledger.Entry::close);
            throw e;
        }
    }

    /** Restores the links, after the command has ended. */
    List<LinkGuard.Violation> restore() {
        List<LinkGuard.Violation> violations = LinkGuard.restore(links);
        close();
        return violations;
    }

    @Override
    public void close() {
        entries.forEach(Ledger.Entry::close);
    }
}
