package dev.execserver.helper.wire;

import dev.execserver.helper.fs.FileReplacement;
import dev.execserver.protocol.rpc.RpcException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Table of the uploads that were begun and have not ended. Any thread that runs requests enters. A thread that takes an
 * upload out of the table is its only user. No locks.
 */
final class Uploads implements AutoCloseable {

    private final Map<Long, FileReplacement> open = new ConcurrentHashMap<>();

    /** Begins an upload. The table keeps the file; its descriptor may be handed out until the upload ends. */
    FileReplacement begin(UploadParams params) {
        FileReplacement sink = FileReplacement.open(params.path().bytes(), params.condition());
        open.put(params.upload(), sink);
        return sink;
    }

    UploadResult commit(UploadNumber params) {
        try (FileReplacement sink = take(params)) {
            return new UploadResult(sink.commit());
        }
    }

    void abort(UploadNumber params) {
        take(params).close();
    }

    private FileReplacement take(UploadNumber params) {
        FileReplacement sink = open.remove(params.upload());
        if (sink == null) {
            throw RpcException.notFound("unknown upload " + params.upload());
        }
        return sink;
    }

    /** Discards all uploads that have not ended. */
    @Override
    public void close() {
        for (Long number : open.keySet()) {
            try {
                abort(new UploadNumber(number));
            } catch (RpcException e) {
                // another thread has taken it, or its directory is gone: nothing is left to do
            }
        }
    }
}
