package dev.execserver.server.transport.files;

import dev.execserver.protocol.fs.FileRequest;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.server.transport.auth.Subject;
import java.util.Optional;

/** Opens the files that a request may touch. Any thread. */
public interface FileAccess {

    /** Files that one request may touch until it is closed. One thread. */
    interface Scope extends WholeFiles, AutoCloseable {
        /** Carries out a request that leaves nothing open. Its own sandbox is ignored. Parks. */
        JsonWritable run(FileRequest request) throws InterruptedException;

        @Override
        void close();
    }

    /**
     * Begins a request.
     *
     * @param session id of a session
     * @param subject the owner that the token of the request names; it does not find a session of another owner
     * @param sandbox the sandbox context in the form of protocol requests
     * @throws dev.execserver.protocol.rpc.RpcException -32004 for a session that is unknown or has ended, -32602 for a
     *     context that cannot be read, or for a missing one if the operator requires it
     */
    Scope begin(Optional<String> session, Optional<Subject> subject, Optional<JsonSlice> sandbox);
}
