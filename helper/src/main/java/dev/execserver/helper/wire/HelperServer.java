package dev.execserver.helper.wire;

import dev.execserver.helper.fs.FileOperations;
import dev.execserver.helper.fs.FileReplacement;
import dev.execserver.helper.fs.RegularFile;
import dev.execserver.protocol.fs.FileRequest;
import dev.execserver.protocol.fs.FsMethodNames;
import dev.execserver.protocol.fs.MetadataParams;
import dev.execserver.protocol.fs.OpenParams;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.EnvelopeDecoder;
import dev.execserver.protocol.rpc.JsonRpcMessage;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MalformedMessageException;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.Request;
import dev.execserver.protocol.rpc.RequestId;
import dev.execserver.protocol.rpc.RpcException;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/**
 * Serves file requests until the stream of requests ends. The main thread reads; a few workers run the requests, so
 * that a request that hangs in a file system delays only itself. While all workers are busy, requests wait, and the main
 * thread still hears which ones the server cancels. This class restricts nothing: a request may do whatever the process may do.
 */
public final class HelperServer {

    /** Most worker threads. When all of them hang, further requests wait for them. */
    static final int WORKERS = 4;

    private final DataInputStream requests;
    private final AnswerWriter answers;
    private final RequestWorkers workers = new RequestWorkers(WORKERS);
    private final Uploads uploads = new Uploads();
    private final PendingRequests underWay = new PendingRequests();

    /**
     * Serves one socket.
     *
     * @param socket descriptor number of the socket behind both streams
     */
    public HelperServer(InputStream in, OutputStream out, int socket) {
        this.requests = new DataInputStream(new BufferedInputStream(in, 16 * 1024));
        this.answers = new AnswerWriter(out, socket);
    }

    /**
     * Serves until the other end closes the stream.
     *
     * @throws IOException when the stream breaks or contains an invalid message
     */
    public void serve() throws IOException {
        workers.submit(0, HelperServer::rehearse);
        try {
            for (Optional<byte[]> next = Frames.read(requests); next.isPresent(); next = Frames.read(requests)) {
                accept(next.get());
            }
        } finally {
            workers.close();
            uploads.close();
        }
    }

    /** Runs a request without effect at the start, so that code that every request needs is linked early. */
    private static void rehearse() {
        try {
            MessageBuffer nowhere = new MessageBuffer();
            PathUri root = PathUri.ofNative("/");
            MessageEncoder.value(nowhere, FileOperations.run(new MetadataParams(root, true, Optional.empty())));
        } catch (RpcException e) {
            // the first request will report the error
        }
    }

    private void accept(byte[] message) throws IOException {
        try {
            JsonRpcMessage decoded = EnvelopeDecoder.decode(message, 0, message.length);
            if (!(decoded instanceof Request request)) {
                throw new IOException(
                        "a request is expected, not " + decoded.getClass().getSimpleName());
            }
            if (request.method().equals(CancelMethod.NAME)) {
                underWay.abandon(number(request));
                return;
            }
            underWay.begin(number(request));
            workers.submit(message.length, () -> answer(request));
        } catch (MalformedMessageException e) {
            throw new IOException("a request is expected: " + e.getMessage(), e);
        }
    }

    private void answer(Request request) {
        MessageBuffer out = new MessageBuffer();
        try {
            underWay.run(number(request), () -> answer(request, out));
        } catch (RpcException e) {
            fail(request, e);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            fail(request, RpcException.internal("the file helper failed in " + request.method() + ": " + e, e));
        } finally {
            out.reset();
        }
    }

    private void answer(Request request, MessageBuffer out) {
        try {
            switch (request.method()) {
                case FsMethodNames.OPEN -> open(request, out);
                case UploadMethods.BEGIN -> beginUpload(request, out);
                default -> {
                    MessageEncoder.value(out, run(request));
                    answers.send(number(request), Frames.Kind.RESULT, out, Optional.empty());
                }
            }
        } catch (IOException e) {
            Runtime.getRuntime().halt(1); // the server has gone
        }
    }

    private JsonWritable run(Request request) {
        return switch (request.method()) {
            case UploadMethods.COMMIT -> uploads.commit(UploadNumber.read(request.params()));
            case UploadMethods.ABORT -> {
                uploads.abort(UploadNumber.read(request.params()));
                yield JsonWritable.EMPTY_OBJECT;
            }
            default -> FileOperations.run(FileRequest.read(request.method(), request.params(), Dialect.OPEN));
        };
    }

    private void beginUpload(Request request, MessageBuffer out) throws IOException {
        FileReplacement sink = uploads.begin(UploadParams.read(request.params()));
        MessageEncoder.value(out, JsonWritable.EMPTY_OBJECT);
        answers.send(number(request), Frames.Kind.RESULT, out, Optional.of(sink.descriptor()));
    }

    private void open(Request request, MessageBuffer out) throws IOException {
        try (RegularFile file = FileOperations.open(OpenParams.read(request.params(), Dialect.OPEN))) {
            MessageEncoder.value(out, JsonWritable.EMPTY_OBJECT);
            answers.send(number(request), Frames.Kind.RESULT, out, Optional.of(file.descriptor()));
        }
    }

    private void fail(Request request, RpcException error) {
        MessageBuffer out = new MessageBuffer();
        MessageEncoder.errorObject(out, error);
        try {
            answers.send(number(request), Frames.Kind.ERROR, out, Optional.empty());
        } catch (IOException e) {
            Runtime.getRuntime().halt(1);
        }
    }

    private static long number(Request request) {
        return request.id() instanceof RequestId.Number(long value) ? value : 0;
    }
}
