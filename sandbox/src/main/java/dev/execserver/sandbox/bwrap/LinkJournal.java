package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.resolve.CrossedLink;
import java.util.ArrayList;
import java.util.List;

/**
 * The links that a running command has to leave as they are, in the {@link Ledger} as well, so that the guardian puts them
 * right after a kill. Used by one thread at a time; touches files.
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

    /** Puts the links right; the command has ended. */
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
