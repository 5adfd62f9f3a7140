package dev.execserver.server.mcp;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.server.transport.auth.Subject;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Questions of tools to their client. Any thread. */
public interface ClientAccess {

    ClientTraits traits();

    /** Returns the owner of the credential that the client has shown, if it names one. */
    Optional<Subject> subject();

    /**
     * Sends a request that belongs to no call. A caller that gives up cancels the future.
     *
     * @return the result; fails with an {@link dev.execserver.protocol.rpc.RpcException} or with a
     *     {@link dev.execserver.server.session.ConnectionGoneException}
     */
    CompletableFuture<JsonSlice> ask(String method, JsonWritable params);

    /** Does the same for a request that belongs to a call that came from {@code peer}. */
    CompletableFuture<JsonSlice> ask(Peer peer, String method, JsonWritable params);
}
