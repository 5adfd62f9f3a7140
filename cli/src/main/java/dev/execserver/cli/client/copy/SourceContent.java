package dev.execserver.cli.client.copy;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.OptionalLong;

/**
 * Wraps a content and records if reading it has failed, so that errors of source and target can be told apart. Another
 * thread may read than the one that asks.
 */
final class SourceContent implements Content {
    private final Content content;
    private volatile boolean failed;

    SourceContent(Content content) {
        this.content = content;
    }

    /** Returns true if reading has failed since it was opened last. */
    boolean failed() {
        return failed;
    }

    @Override
    public OptionalLong size() {
        return content.size();
    }

    @Override
    public InputStream open() throws IOException, InterruptedException {
        failed = true;
        InputStream in = content.open();
        failed = false;
        return new Watched(in);
    }

    private final class Watched extends FilterInputStream {
        Watched(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            try {
                return in.read();
            } catch (IOException | RuntimeException e) {
                failed = true;
                throw e;
            }
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            try {
                return in.read(to, offset, length);
            } catch (IOException | RuntimeException e) {
                failed = true;
                throw e;
            }
        }
    }
}
