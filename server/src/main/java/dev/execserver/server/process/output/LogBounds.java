package dev.execserver.server.process.output;

/**
 * The limits of one log: decide when its pumps must stop and when delivered events are dropped. Not thread safe:
 * guarded by the lock of {@link OutputLog}.
 */
record LogBounds(OutputBounds retention, EntryRing entries, DeliveryMark delivery, Spill spill) {

    /** Returns true if no more output may be read from the process. */
    boolean held() {
        return undelivered() >= holdAt()
                || entries.retainedBytes() >= limit() + OutputBounds.overshootBytes()
                || entries.full(delivery.deliveredThrough() + 1)
                || heldForServer();
    }

    /**
     * Returns true if a server-wide limit (memory or spill space) holds the process, or its spill file has failed or is
     * behind.
     */
    boolean heldForServer() {
        boolean memoryOnly = spill.broken() || retention.budget().memoryCritical();
        return spill.behind()
                || (memoryOnly && undelivered() >= holdAt())
                || (retention.budget().exhausted() && undelivered() > OutputBounds.MIN_MEMORY_BYTES);
    }

    /**
     * Returns true if the reason for holding the process may lie outside its log (server memory, spill files), so that
     * nobody signals its end and the pump must poll.
     */
    boolean changeUnheard() {
        RetentionBudget budget = retention.budget();
        return budget.exhausted()
                || budget.crowded()
                || budget.memoryCritical()
                || spill.behind()
                || spill.awaitsSpace();
    }

    /** Drops delivered events, oldest first, while a limit is exceeded. */
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
                || (retention.budget().exhausted() && entries.retainedBytes() > OutputBounds.MIN_MEMORY_BYTES);
    }

    private long undelivered() {
        return entries.totalBytes() - entries.startOf(delivery.deliveredThrough() + 1);
    }

    /**
     * Returns the limit of undelivered bytes. While a client takes the output as it comes, it is the memory window, so
     * that undelivered bytes never spill.
     */
    private long holdAt() {
        return delivery.followed() ? Math.min(retention.memoryWindow(), limit()) : limit();
    }

    private long limit() {
        return spill.broken() ? retention.bytesWithoutFile() : retention.totalBytes();
    }
}
