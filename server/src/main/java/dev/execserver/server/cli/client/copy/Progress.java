package dev.execserver.server.cli.client.copy;

import java.util.OptionalLong;

/** How far a copy is. The bytes may be counted by another thread than the main one, one at a time. */
public interface Progress {

    /** Nobody looks. */
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

    /** A file begins, or begins again. */
    void begin(String name, OptionalLong size);

    void advance(int bytes);

    void fileDone();

    /** Makes room for a line of text. */
    void clear();

    /** Everything is done. */
    void finish();
}
