package dev.execserver.server.access;

import java.io.IOException;

/** Destination of the lines. The writing thread calls, and closes it. */
interface LineSink extends AutoCloseable {
    /** Writes whole lines. On failure the next call begins a new line. */
    void write(byte[] lines) throws IOException;

    /** Returns true if the reader of the lines adds the time itself. */
    default boolean timesLines() {
        return false;
    }

    /** Returns the text before the line of an event, for a reader that takes its priority from there. */
    default String prefix(AccessEvent event) {
        return "";
    }

    @Override
    void close() throws IOException;
}
