package dev.execserver.server.transport.files;

import dev.execserver.helper.fs.FileReplacement;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.FileWorkers.Step;
import io.helidon.common.buffers.DataReader;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;

/** Answers one {@code PUT}. Runs on the connection's thread. */
final class PutAnswer {

    /** Time that the disk may take to store the file while the peer waits for the answer. */
    private static final Duration COMMIT_TIME = Duration.ofMinutes(10);

    private final FileWorkers workers;
    private final ServerRequest request;
    private final ServerResponse response;
    private final TransferTimeouts patience;

    PutAnswer(FileWorkers workers, ServerRequest request, ServerResponse response, TransferTimeouts patience) {
        this.workers = workers;
        this.request = request;
        this.response = response;
        this.patience = patience;
    }

    /** Work between the storing of a file and its answer. */
    @FunctionalInterface
    interface Finish {
        void run() throws InterruptedException;
    }

    /** Answers with 201 for a new file and with 204 for a replaced one. */
    void run(WholeFiles files, PathUri path) throws InterruptedException {
        boolean created = store(files, path);
        answer(created ? Status.CREATED_201 : Status.NO_CONTENT_204);
    }

    /** Answers with 204 in both cases, after some work. */
    void run(WholeFiles files, PathUri path, Finish finish) throws InterruptedException {
        boolean _ = store(files, path);
        finish.run();
        answer(Status.NO_CONTENT_204);
    }

    private void answer(Status status) {
        response.status(status).send();
        if (response.headers().contains(HeaderValues.CONNECTION_CLOSE)) {
            throw new CloseConnectionException("only we know where the body has ended");
        }
    }

    /** Returns true if the file is new. */
    private boolean store(WholeFiles files, PathUri path) throws InterruptedException {
        refuseParts();
        refuseDates();
        RequestBody.check(request, "a PUT needs a Content-Length, 0 for an empty file, or a body in chunks");
        NewFile file = files.write(path, new Conditions(request.headers()).forUpload());
        patience.progress();
        FileReplacement.Stored stored;
        try {
            receive(file);
            patience.allow(COMMIT_TIME);
            stored = file.commit();
            patience.progress();
        } finally {
            file.close();
        }
        response.header(HeaderNames.ETAG, stored.tag());
        return stored.created();
    }

    /**
     * Refuses an upload of a part, because a part must not be taken for the whole (RFC 9110 section 14.5). Helidon
     * refuses a Content-Encoding.
     */
    private void refuseParts() {
        if (request.headers().contains(HeaderNames.CONTENT_RANGE)) {
            throw FileRefusal.badRequest("a PUT replaces the whole file; leave out the header Content-Range");
        }
    }

    /**
     * Refuses a date as condition (RFC 9110 section 13.1.4). A client that sends one wants to lose nothing, and a date
     * cannot tell two writes within one second apart.
     */
    private void refuseDates() {
        boolean counts = !request.headers().contains(HeaderNames.IF_MATCH);
        if (counts && request.headers().contains(HeaderNames.IF_UNMODIFIED_SINCE)) {
            throw FileRefusal.badRequest("If-Unmodified-Since is too coarse to protect a file from being overwritten;"
                    + " use If-Match with the ETag of a GET or HEAD");
        }
    }

    private void receive(NewFile file) {
        byte[] onTheWire = new byte[FileEndpoint.BUFFER_BYTES];
        byte[] beingWritten = new byte[FileEndpoint.BUFFER_BYTES];
        Optional<Step<NewFile>> step = Optional.empty();
        try {
            RequestBody body = RequestBody.of(request);
            InputStream in = body.stream();
            for (int count = fill(in, onTheWire); count > 0; count = fill(in, onTheWire)) {
                step.ifPresent(Step::await);
                byte[] filled = onTheWire;
                onTheWire = beingWritten;
                beingWritten = filled;
                int length = count;
                step = Optional.of(workers.start(() -> {
                    file.write(filled, length);
                    return file;
                }));
            }
            step.ifPresent(Step::await);
            if (!body.endIsKnown()) {
                response.header(HeaderValues.CONNECTION_CLOSE);
            }
        } catch (IOException | UncheckedIOException | DataReader.InsufficientDataAvailableException e) {
            throw new CloseConnectionException("the body did not come to its end", e);
        } finally {
            step.ifPresent(PutAnswer::settle);
        }
    }

    /** Fills the buffer; reads fewer bytes only at the end of the stream. */
    private int fill(InputStream in, byte[] into) throws IOException {
        int filled = 0;
        while (filled < into.length) {
            int count = in.read(into, filled, into.length - filled);
            if (count < 0) {
                break;
            }
            filled += count;
            patience.progress();
        }
        return filled;
    }

    /** Waits for a running write, because the file must not be closed during it. */
    private static void settle(Step<NewFile> step) {
        try {
            NewFile unused = step.await();
        } catch (RpcException e) {
            // the transfer has already failed, for this reason or an earlier one
        }
    }
}
