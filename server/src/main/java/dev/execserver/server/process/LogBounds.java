package dev.execserver.server.process;

/**
 * The bounds of one log: when its pumps are held, and when what was delivered is dropped. Not thread safe: guarded by the
 * lock of {@link OutputLog}.
 */
record LogBounds(Retention retention, EntryRing entries, DeliveryMark delivery, Spill spill) {

    /** Whether nothing more may be read from the process. */
    boolean held() {
        return undelivered() >= holdAt()
                || entries.retainedBytes() >= limit() + Retention.overshootBytes()
                || entries.full(delivery.deliveredThrough() + 1)
                || heldForServer();
    }

    /** Whether that is for more than the bounds of this process alone: for the server's memory, its files or the want of them. */
    boolean heldForServer() {
        boolean memoryOnly = spill.broken() || retention.budget().memoryCritical();
        return spill.behind()
                || (memoryOnly && undelivered() >= holdAt())
                || (retention.budget().exhausted() && undelivered() > Retention.MIN_MEMORY_BYTES);
    }

    /** Whether what holds the process may end without anything happening in its log. */
    boolean changeUnheard() {
        RetentionBudget budget = retention.budget();
        return budget.exhausted() || budget.crowded() || budget.memoryCritical() || spill.behind();
    }

    /** Drops delivered events, oldest first, while a bound is passed. */
    void evict() {
        while (entries.size() > 0 && entries.firstSeq() <= delivery.deliveredThrough() && over()) {
            dropFirst();
        }
    }

    private void dropFirst() {
        long seq = entries.firstSeq();
        int length = entries.lengthOf(seq);
        boolean inMemory = spill.inMemory(seq);
        entries.removeFirst();
        spill.dropped();
        retention.budget().add(inMemory ? -length : 0, -length);
    }

    private boolean over() {
        return entries.retainedBytes() > limit()
                || entries.full(entries.firstSeq())
                || (retention.budget().exhausted() && entries.retainedBytes() > Retention.MIN_MEMORY_BYTES);
    }

    private long undelivered() {
        return entries.totalBytes() - entries.startOf(delivery.deliveredThrough() + 1);
    }

    /** While a client takes the output as it comes, undelivered bytes are limited to the memory window, so that they never spill. */
    private long holdAt() {
        return delivery.followed() ? Math.min(retention.memoryWindow(), limit()) : limit();
    }

    private long limit() {
        return spill.broken() ? retention.bytesWithoutFile() : retention.totalBytes();
    }
}
