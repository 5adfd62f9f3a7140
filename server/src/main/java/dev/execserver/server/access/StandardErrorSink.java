package dev.execserver.server.access;

import dev.execserver.server.environment.JournalStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;

/**
 * Standard error. When systemd's journal reads it, lines begin with their priority and have no time of their own, see
 * sd-daemon(3). Does not close the stream, which belongs to the program.
 */
final class StandardErrorSink implements LineSink {
    private static final String INFORMATION = "<6>";
    private static final String WARNING = "<4>";

    private final FileOutputStream out = new FileOutputStream(FileDescriptor.err);
    private final boolean journal = JournalStream.isStandardError();

    @Override
    public void write(byte[] lines) throws IOException {
        out.write(lines);
    }

    @Override
    public boolean timesLines() {
        return journal;
    }

    @Override
    public String prefix(AccessEvent event) {
        if (!journal) {
            return "";
        }
        return event.warns() ? WARNING : INFORMATION;
    }

    @Override
    public void close() {}
}
