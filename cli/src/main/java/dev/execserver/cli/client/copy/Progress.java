package dev.execserver.cli.client.copy;

import java.util.OptionalLong;

/** Progress of a copy. Another thread than the main one may count bytes, one thread at a time. */
public interface Progress {

    /** Shows no progress. */
    Progress SILENT = new Progress() {
        @Override
        public void begin(String name, OptionalLong size) {}

        @Override
        public void advance(int bytes) {}

        @Override
        public void fileDone() {}

        @Override
        public void clear() {}

        @Override
        public void finish() {}
    };

    /** Begins a file, or begins it again. */
    void begin(String name, OptionalLong size);

    void advance(int bytes);

    void fileDone();

    /** Clears the line for other text. */
    void clear();

    /** Ends the progress with a summary. */
    void finish();
}
