package dev.execserver.server.transport.files;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.server.transport.auth.Subject;
import java.util.Optional;

/** Which files requests may touch. Any thread. */
public interface FileAccess {

    /** What one request may touch, until it is closed. One thread. */
    interface Scope extends WholeFiles, AutoCloseable {
        @Override
        void close();
    }

    /**
     * Begins a request.
     *
     * @param session an id
     * @param subject whom the token of the request names: a session that belongs to somebody else is not known to it
     * @param sandbox the context as requests of the protocol have it
     * @throws dev.execserver.protocol.rpc.RpcException -32004 for a session that is not known (any more), -32602 for a
     *     context that cannot be read, or when the operator wants one
     */
    Scope begin(Optional<String> session, Optional<Subject> subject, Optional<JsonSlice> sandbox);
}
