package dev.execserver.server.transport.files;

import dev.execserver.helper.fs.FileSource;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.FileWorkers.Step;
import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** Answers one {@code GET} or {@code HEAD}. Runs on the connection's thread. */
final class Download {

    /** Bytes given to the socket at once. A peer that takes less than this within the request timeout is dropped. */
    private static final int WRITE_BYTES = 64 * 1024;

    private final FileWorkers workers;
    private final ServerRequest request;
    private final ServerResponse response;
    private final TransferTimeouts patience;

    Download(FileWorkers workers, ServerRequest request, ServerResponse response, TransferTimeouts patience) {
        this.workers = workers;
        this.request = request;
        this.response = response;
        this.patience = patience;
    }

    void run(WholeFiles files, PathUri path) throws InterruptedException {
        FileSource file = files.read(path);
        patience.progress();
        try {
            answer(path, file);
        } finally {
            workers.release(file::close);
        }
    }

    private void answer(PathUri path, FileSource file) {
        describe(file);
        Conditions conditions = new Conditions(request.headers());
        switch (conditions.verdict(file.tag(), file.modified())) {
            case FAILED ->
                throw new FileRefusal(
                        Status.PRECONDITION_FAILED_412,
                        RpcException.invalidRequest(
                                        "`" + path.display() + "` is not in the state that the request asks for")
                                .withData("reason", "conflict")
                                .withData("path", path.display()));
            case NOT_MODIFIED -> response.status(Status.NOT_MODIFIED_304).send();
            case GO_ON -> send(path, file, range(file, conditions));
        }
    }

    private void describe(FileSource file) {
        response.header(HeaderNames.ETAG, file.tag());
        response.header(
                HeaderNames.LAST_MODIFIED,
                DateTimeFormatter.RFC_1123_DATE_TIME.format(file.modified().atZone(ZoneOffset.UTC)));
        response.header(HeaderNames.ACCEPT_RANGES, "bytes");
        response.header(HeaderNames.CACHE_CONTROL, "private, no-cache");
    }

    private Optional<ByteRange> range(FileSource file, Conditions conditions) {
        boolean wanted = request.prologue().method() == Method.GET
                && request.headers().contains(HeaderNames.RANGE)
                && request.headers().get(HeaderNames.RANGE).valueCount() == 1
                && conditions.rangeIsMeant(file.tag(), file.modified());
        return wanted ? ByteRange.parse(request.headers().get(HeaderNames.RANGE).get(), file.size()) : Optional.empty();
    }

    private void send(PathUri path, FileSource file, Optional<ByteRange> range) {
        if (range.filter(asked -> asked.length() == 0).isPresent()) {
            response.header(HeaderNames.CONTENT_RANGE, "bytes */" + file.size());
            throw new FileRefusal(
                    Status.REQUESTED_RANGE_NOT_SATISFIABLE_416,
                    RpcException.invalidRequest("`" + path.display() + "` has " + file.size()
                                    + " bytes, and none of them is in the range asked for")
                            .withData("path", path.display())
                            .withData("size", file.size()));
        }
        range.ifPresent(part -> {
            response.status(Status.PARTIAL_CONTENT_206);
            response.header(HeaderNames.CONTENT_RANGE, part.contentRange(file.size()));
        });
        ByteRange part = range.orElse(new ByteRange(0, file.size()));
        response.header(HeaderNames.CONTENT_TYPE, "application/octet-stream");
        response.header("X-Content-Type-Options", "nosniff");
        response.headers().contentLength(part.length());
        if (request.prologue().method() == Method.HEAD || part.length() == 0) {
            response.send();
        } else {
            copy(file, part);
        }
    }

    private void copy(FileSource file, ByteRange part) {
        byte[] onTheWire = new byte[(int) Math.min(FileEndpoint.BUFFER_BYTES, part.length())];
        byte[] beingRead = new byte[onTheWire.length];
        long position = part.start();
        long left = part.length();
        Step<Integer> step = read(file, beingRead, position, left);
        try {
            OutputStream out = response.outputStream();
            while (left > 0) {
                int count = step.await();
                if (count < Math.min(beingRead.length, left)) {
                    // The length was promised. Ending the connection early is the only way left to report the error.
                    throw new CloseConnectionException("the file became shorter while it was sent");
                }
                byte[] filled = beingRead;
                beingRead = onTheWire;
                onTheWire = filled;
                position += count;
                left -= count;
                if (left > 0) {
                    step = read(file, beingRead, position, left);
                }
                write(out, onTheWire, count);
            }
            // Close it only after the last byte: an earlier close would end the answer properly.
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (RpcException e) {
            throw new CloseConnectionException("the file could not be read to its end", e);
        } finally {
            settle(step);
        }
    }

    private Step<Integer> read(FileSource file, byte[] into, long position, long left) {
        int length = (int) Math.min(into.length, left);
        return workers.start(() -> file.read(into, length, position));
    }

    private void write(OutputStream out, byte[] from, int count) throws IOException {
        for (int at = 0; at < count; at += WRITE_BYTES) {
            out.write(from, at, Math.min(WRITE_BYTES, count - at));
            patience.progress();
        }
    }

    /** Waits for a running read, because the file must not be closed during it. */
    private static void settle(Step<Integer> step) {
        try {
            int unused = step.await();
        } catch (RpcException e) {
            // the transfer has already failed, for this reason or an earlier one
        }
    }
}
