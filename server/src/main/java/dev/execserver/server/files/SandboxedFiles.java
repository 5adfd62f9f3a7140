package dev.execserver.server.files;

import dev.execserver.helper.fs.DisclosurePolicy;
import dev.execserver.helper.fs.RegularFile;
import dev.execserver.protocol.fs.FileRequest;
import dev.execserver.protocol.fs.OpenParams;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.server.rpc.Method.Call;
import dev.execserver.server.session.Session;
import dev.execserver.server.transport.files.WholeFiles;
import java.util.Optional;

/**
 * File operations of requests with a sandbox. Called on request threads, which park. Every method may throw an
 * {@code RpcException} -32600 that says why the sandbox cannot be built.
 */
public interface SandboxedFiles {

    /**
     * Reports a profile that a session has used in any request. It may use files under this profile next. Does not
     * wait.
     */
    void shown(SandboxContext context, Session session);

    /** Reads the {@code sandbox} of a request, which may name its profile. Does not wait. */
    default SandboxContext read(JsonSlice sandbox, Dialect dialect) {
        return SandboxContext.read(sandbox, dialect);
    }

    /**
     * Returns the sandbox of a call: the requested one, else the operator's, else empty. Does not wait.
     *
     * @throws dev.execserver.protocol.rpc.RpcException if the operator requires that the request names a sandbox
     */
    Optional<SandboxContext> context(Optional<SandboxContext> requested);

    /**
     * Returns what this process may report about opened files if the policy allows so much that this process may carry
     * out the request itself; else empty.
     */
    Optional<DisclosurePolicy> mayRunHere(SandboxContext context, FileRequest request);

    /** Returns the same for {@code fs/open}. */
    Optional<DisclosurePolicy> mayOpenHere(SandboxContext context, OpenParams params);

    /** Carries out a request in a sandbox. */
    default JsonWritable run(SandboxContext context, FileRequest request, Call call) throws InterruptedException {
        return run(context, request, HelperOwner.of(call));
    }

    /** Carries out a request of a user in a sandbox. */
    JsonWritable run(SandboxContext context, FileRequest request, HelperOwner user) throws InterruptedException;

    /** Opens a file in a sandbox. The caller then reads and writes it in this process. */
    RegularFile open(SandboxContext context, OpenParams params, Call call) throws InterruptedException;

    /** Returns access to whole files in a sandbox, to read or replace them. Does not wait yet. */
    WholeFiles wholeFiles(SandboxContext context, HelperOwner user);
}
