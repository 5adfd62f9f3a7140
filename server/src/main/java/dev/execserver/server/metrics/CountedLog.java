package dev.execserver.server.metrics;

import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.access.ArgumentStyle;
import dev.execserver.server.tracing.Tracing;

/** Access log that counts its events before it passes them on. Any thread. */
public final class CountedLog implements AccessLog {
    private final AccessLog next;
    private final EventCounters counters;

    CountedLog(AccessLog next, EventCounters counters) {
        this.next = next;
        this.counters = counters;
    }

    /** Returns true always: what is not written is counted. */
    @Override
    public boolean on() {
        return true;
    }

    @Override
    public void write(AccessEvent event) {
        counters.count(event);
        if (next.on()) {
            next.write(event);
        }
    }

    @Override
    public Tracing tracing() {
        return next.tracing();
    }

    @Override
    public ArgumentStyle arguments() {
        return next.arguments();
    }
}
