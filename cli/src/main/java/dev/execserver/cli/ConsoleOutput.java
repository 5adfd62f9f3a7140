package dev.execserver.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Optional;

/**
 * Standard output of this program that keeps the reason of a write error; a {@link PrintStream} keeps only the fact.
 */
public final class ConsoleOutput extends PrintStream {
    private final Watched watched;

    private ConsoleOutput(Watched watched) {
        super(new BufferedOutputStream(watched), false, System.out.charset());
        this.watched = watched;
    }

    /** Opens descriptor 1. */
    public static ConsoleOutput standard() {
        return to(new FileOutputStream(FileDescriptor.out));
    }

    static ConsoleOutput to(OutputStream target) {
        return new ConsoleOutput(new Watched(target));
    }

    /** Returns the reason of the first write error. */
    Optional<IOException> failure() {
        return Optional.ofNullable(watched.failure);
    }

    private static final class Watched extends FilterOutputStream {
        private volatile IOException failure;

        Watched(OutputStream target) {
            super(target);
        }

        @Override
        public void write(int octet) throws IOException {
            write(new byte[] {(byte) octet}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            try {
                out.write(bytes, offset, length);
            } catch (IOException e) {
                if (failure == null) {
                    failure = e;
                }
                throw e;
            }
        }
    }
}
