package dev.execserver.cli.client.copy;

import dev.execserver.client.ExecServerClient;
import dev.execserver.client.FileMethods;
import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.client.files.FileTransfers;
import dev.execserver.protocol.fs.FsFeatures;
import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.fs.FsMethodNames;
import dev.execserver.protocol.fs.WriteFileParams;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Base64Data;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Uploads content into a file on the server that only this client uses. Short content goes in one request, long content
 * over HTTP or in blocks, several at once. If the connection is lost, the upload continues at its position, one block
 * at a time. If HTTP fails, the upload begins again in blocks. Main thread.
 *
 * @param part a file that this copy has made
 */
record FileUpload(ExecServerClient client, Transfers transfers, PathUri part, OptionalInt mode) {

    private static final int MAX_TRIES = 5;

    private static final Duration SETTLING = Duration.ofMillis(100);

    void send(Content content) throws IOException, InterruptedException {
        if (content.size().orElse(0) > FsLimits.BLOCK_BYTES && sendOverHttp(content)) {
            return;
        }
        try (InputStream in = content.open()) {
            byte[] first = in.readNBytes(FsLimits.BLOCK_BYTES);
            if (first.length < FsLimits.BLOCK_BYTES) {
                begin(first);
            } else {
                begin(new byte[0]); // Set the mode before the content is there.
                sendBlocks(first, in);
            }
        }
    }

    /**
     * Writes the file; repeated if the connection is lost, which does no harm because only this client uses the file.
     */
    void begin(byte[] content) throws InterruptedException {
        OptionalInt wanted = client.features().contains(FsFeatures.MODE) ? mode : OptionalInt.empty();
        for (int tries = 1; ; tries++) {
            try {
                client.files().writeFile(new WriteFileParams(part, Base64Data.ofBytes(content), wanted));
                return;
            } catch (ConnectionLostException e) {
                if (tries == MAX_TRIES) {
                    throw e;
                }
            }
        }
    }

    private void sendBlocks(byte[] first, InputStream in) throws IOException, InterruptedException {
        SentBlocks sent = new SentBlocks();
        sent.add(first);
        try (OutputStream out = client.files().openWrite(part)) {
            out.write(first);
            for (byte[] block = next(in); block.length > 0; block = next(in)) {
                sent.add(block);
                out.write(block);
            }
            return;
        } catch (ConnectionLostException e) {
            requireAppend(new IOException(e.getMessage(), e));
        } catch (IOException e) {
            if (!(e.getCause() instanceof ConnectionLostException)) {
                throw e;
            }
            requireAppend(e);
        }
        // The handle was lost with the connection.
        long position = settledSize(sent.end());
        List<byte[]> rest = sent.from(position).orElseThrow(this::changed);
        requireWritten(sent, position);
        for (byte[] block : rest) {
            append(block, position);
            position += block.length;
        }
        for (byte[] block = next(in); block.length > 0; block = next(in)) {
            append(block, position);
            position += block.length;
        }
    }

    /**
     * Checks the last blocks. A block may have failed unnoticed while later ones were written, which would leave a
     * hole.
     */
    private void requireWritten(SentBlocks sent, long size) throws IOException, InterruptedException {
        for (int tries = 1; size > sent.start(); tries++) {
            try (InputStream in = client.files().openRead(part, sent.start())) {
                if (!sent.contain(in.readNBytes((int) (size - sent.start())))) {
                    throw changed();
                }
                return;
            } catch (ConnectionLostException e) {
                if (tries == MAX_TRIES) {
                    throw e;
                }
            } catch (IOException e) {
                if (tries == MAX_TRIES || !(e.getCause() instanceof ConnectionLostException)) {
                    throw e;
                }
            }
        }
    }

    private static byte[] next(InputStream in) throws IOException {
        return in.readNBytes(FsLimits.BLOCK_BYTES);
    }

    private void requireAppend(IOException lost) throws IOException {
        if (!client.features().contains(FsMethodNames.APPEND)) {
            throw lost;
        }
    }

    /**
     * Returns the size once it is stable. Data that was in flight when the connection was lost may be written a moment
     * later.
     */
    private long settledSize(long end) throws InterruptedException {
        long size = client.files().metadata(part).size();
        long before = -1;
        while (size != before && size < end) {
            Thread.sleep(SETTLING);
            before = size;
            size = client.files().metadata(part).size();
        }
        return size;
    }

    /** Appends a block. If its answer was lost, the size of the file shows if it was written. */
    private void append(byte[] block, long position) throws IOException, InterruptedException {
        FileMethods files = client.files();
        int done = 0;
        for (int tries = 1; done < block.length; tries++) {
            long size;
            try {
                size = files.append(part, Arrays.copyOfRange(block, done, block.length));
                if (size != position + block.length) {
                    throw changed();
                }
            } catch (ConnectionLostException e) {
                if (tries == MAX_TRIES) {
                    throw e;
                }
                size = settledSize(position + block.length);
            }
            if (size < position || size > position + block.length) {
                throw changed();
            }
            done = (int) (size - position);
        }
    }

    private IOException changed() {
        return new IOException(part.display() + " does not hold what was sent to it; copy it again");
    }

    /** Returns false if the content has to go over the WebSocket. */
    private boolean sendOverHttp(Content content) throws IOException, InterruptedException {
        Optional<FileTransfers> http = transfers.http();
        if (http.isEmpty()) {
            return false;
        }
        begin(new byte[0]); // Set the mode before the content is there.
        try (InputStream in = content.open()) {
            String unused = http.get().upload(in, content.size().orElseThrow(), part);
            return true;
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            transfers.failed(e);
            return false;
        }
    }
}
