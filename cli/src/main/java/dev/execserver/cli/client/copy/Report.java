package dev.execserver.cli.client.copy;

import dev.execserver.cli.Console;
import dev.execserver.protocol.text.VisibleText;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.OptionalLong;

/** Messages of a copy: one line on stderr for each failure, and the progress if it is wanted. */
public final class Report {

    private final Console console;
    private final Progress progress;
    private int problems;

    public Report(Console console, Progress progress) {
        this.console = console;
        this.progress = progress;
    }

    public void problem(String name, String text) {
        problems++;
        progress.clear();
        console.error(VisibleText.of(name) + ": " + text);
    }

    void copied() {
        progress.fileDone();
    }

    /** Prints the summary at the end. */
    public void finish() {
        progress.finish();
    }

    public boolean clean() {
        return problems == 0;
    }

    /** Wraps the content so that its bytes are counted while they are read. */
    Content counted(String name, Content content) {
        return new Content() {
            @Override
            public OptionalLong size() {
                return content.size();
            }

            @Override
            public InputStream open() throws IOException, InterruptedException {
                InputStream in = content.open();
                progress.begin(name, content.size());
                return new Counted(in, progress);
            }
        };
    }

    private static final class Counted extends FilterInputStream {
        private final Progress progress;

        Counted(InputStream in, Progress progress) {
            super(in);
            this.progress = progress;
        }

        @Override
        public int read() throws IOException {
            int octet = in.read();
            if (octet >= 0) {
                progress.advance(1);
            }
            return octet;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            int count = in.read(to, offset, length);
            if (count > 0) {
                progress.advance(count);
            }
            return count;
        }
    }
}
