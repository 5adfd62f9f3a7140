package dev.execserver.server.access;

import dev.execserver.server.tracing.Tracing;

/** Access log of a server that traces its requests too. Any thread. */
public record TracedLog(AccessLog next, Tracing tracing) implements AccessLog {
    @Override
    public boolean on() {
        return next.on();
    }

    @Override
    public void write(AccessEvent event) {
        next.write(event);
    }

    @Override
    public ArgumentStyle arguments() {
        return next.arguments();
    }
}
