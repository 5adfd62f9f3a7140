package dev.execserver.cli.client.copy;

import dev.execserver.client.ExecServerClient;
import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.paths.PathUri;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * Content of a file on the server. A short file is read in one request, a long one over HTTP or block by block. If the
 * connection is lost, the download continues at its position, provided that the file has not changed. Main thread.
 *
 * @param info metadata of the file before the copy
 */
record Download(RemoteSide side, ExecServerClient client, Transfers transfers, PathUri path, FileInfo info)
        implements Content {

    /** Limit of failures in a row without a byte between them. */
    private static final int MAX_FAILURES = 5;

    @Override
    public OptionalLong size() {
        return OptionalLong.of(info.size());
    }

    @Override
    public InputStream open() throws IOException, InterruptedException {
        if (info.size() == 0) { // it may be a file of /proc, whose size is unknown; one message can hold all of it
            return new ByteArrayInputStream(client.files().readFile(path));
        }
        InputStream content = info.size() <= FsLimits.BLOCK_BYTES
                ? new ByteArrayInputStream(client.files().readFile(path))
                : new Stream();
        return new GrowthLimit(content, info.size());
    }

    private InputStream openAt(long position) throws IOException, InterruptedException {
        if (transfers.http().isPresent()) {
            try {
                return transfers.http().get().open(path, position).content();
            } catch (InterruptedIOException e) {
                throw e;
            } catch (IOException e) {
                transfers.failed(e);
            }
        }
        return client.files().openRead(path, position);
    }

    private final class Stream extends InputStream {
        private InputStream source;
        private long position;
        private int failures;

        Stream() throws IOException, InterruptedException {
            try {
                source = openAt(0);
            } catch (ConnectionLostException e) {
                source = InputStream.nullInputStream();
                recover(new IOException(e.getMessage(), e));
            }
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, to.length);
            while (true) {
                try {
                    int count = source.read(to, offset, length);
                    if (count > 0) {
                        position += count;
                        failures = 0;
                    }
                    return count;
                } catch (InterruptedIOException e) {
                    throw e;
                } catch (IOException e) {
                    transfers.failed(e);
                    recover(e);
                }
            }
        }

        private void recover(IOException reason) throws IOException {
            try {
                do {
                    if (++failures > MAX_FAILURES
                            || !side.look(path).filter(info::unchangedSince).isPresent()) {
                        throw reason;
                    }
                } while (!reopen());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while waiting for the server");
            }
        }

        /** Opens the file over the WebSocket at the current position, because HTTP has just failed. */
        private boolean reopen() throws IOException, InterruptedException {
            source.close();
            try {
                source = client.files().openRead(path, position);
                return true;
            } catch (ConnectionLostException e) {
                return false;
            }
        }

        @Override
        public void close() throws IOException {
            source.close();
        }
    }
}
