package dev.execserver.helper.wire;

import dev.execserver.helper.fs.FileSink;
import dev.execserver.protocol.rpc.RpcException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The uploads that were begun and have not ended. Working threads enter; whoever takes one out of the table has it alone.
 * No locks.
 */
final class Uploads implements AutoCloseable {

    private final Map<Long, FileSink> open = new ConcurrentHashMap<>();

    /** The file stays the table's; it may be handed out as long as the upload has not ended. */
    FileSink begin(UploadParams params) {
        FileSink sink = FileSink.open(params.path().bytes(), params.condition());
        open.put(params.upload(), sink);
        return sink;
    }

    UploadResult commit(UploadNumber params) {
        try (FileSink sink = take(params)) {
            return new UploadResult(sink.commit());
        }
    }

    void abort(UploadNumber params) {
        take(params).close();
    }

    private FileSink take(UploadNumber params) {
        FileSink sink = open.remove(params.upload());
        if (sink == null) {
            throw RpcException.notFound("unknown upload " + params.upload());
        }
        return sink;
    }

    /** Nobody will ask for them any more. */
    @Override
    public void close() {
        for (Long number : open.keySet()) {
            try {
                abort(new UploadNumber(number));
            } catch (RpcException e) {
                // taken by somebody else meanwhile, or its directory is gone: nothing is left to be done
            }
        }
    }
}
