package dev.execserver.cli.client.copy;

import dev.execserver.cli.BrokenPipe;
import dev.execserver.protocol.paths.PathUri;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Side of the copy that has only one file: standard input as source, or standard output as target. */
public final class StreamSide implements Side {

    /** Path of that file. */
    public static final PathUri FILE = PathUri.ofNative("/");

    private final InputStream input;
    private final Optional<OutputStream> output;

    private StreamSide(InputStream input, Optional<OutputStream> output) {
        this.input = input;
        this.output = output;
    }

    public static StreamSide input(InputStream input) {
        return new StreamSide(input, Optional.empty());
    }

    public static StreamSide output(OutputStream output) {
        return new StreamSide(InputStream.nullInputStream(), Optional.of(output));
    }

    /** Reports that nobody reads the output any more. */
    public static final class OutputClosedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OutputClosedException(IOException cause) {
            super(cause);
        }
    }

    @Override
    public String name(PathUri path) {
        return "-";
    }

    @Override
    public Optional<FileInfo> look(PathUri path) {
        return Optional.of(new FileInfo(FileInfo.Kind.FILE, false, 0, 0, OptionalInt.empty()));
    }

    @Override
    public Content read(PathUri path, FileInfo info) {
        return new Content() {
            @Override
            public OptionalLong size() {
                return OptionalLong.empty();
            }

            @Override
            public InputStream open() {
                return input;
            }
        };
    }

    @Override
    public void write(PathUri path, OptionalInt mode, Content content) throws IOException, InterruptedException {
        OutputStream target = output.orElseThrow();
        try (InputStream in = content.open()) {
            LocalSide.copy(in, new OutputStream() {
                @Override
                public void write(int octet) throws IOException {
                    write(new byte[] {(byte) octet}, 0, 1);
                }

                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    try {
                        target.write(bytes, offset, length);
                    } catch (IOException e) {
                        // A local program would get SIGPIPE for a pipe that nobody reads, and a shell prints nothing
                        // about it.
                        if (BrokenPipe.is(e)) {
                            throw new OutputClosedException(e);
                        }
                        throw e;
                    }
                }
            });
        }
    }

    @Override
    public boolean dangling(PathUri path) {
        return false;
    }

    @Override
    public boolean openFile(PathUri path) {
        return false;
    }

    @Override
    public PathUri canonical(PathUri path) {
        return path;
    }

    @Override
    public List<PathUri> list(PathUri directory) {
        throw noDirectory();
    }

    @Override
    public DirectoryMark mark(PathUri directory) {
        throw noDirectory();
    }

    @Override
    public void makeDirectory(PathUri path) {
        throw noDirectory();
    }

    @Override
    public void setMode(PathUri path, int mode) {
        throw noDirectory();
    }

    private static IllegalStateException noDirectory() {
        return new IllegalStateException("a stream is no directory");
    }
}
