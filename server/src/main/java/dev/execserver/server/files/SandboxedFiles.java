package dev.execserver.server.files;

import dev.execserver.helper.fs.Disclosure;
import dev.execserver.helper.fs.RegularFile;
import dev.execserver.protocol.fs.FileRequest;
import dev.execserver.protocol.fs.OpenParams;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.server.rpc.Method.Call;
import dev.execserver.server.session.Session;
import dev.execserver.server.transport.files.WholeFiles;
import java.util.Optional;

/**
 * File calls that ask for a sandbox. Called on request threads, which park. Every method may throw an {@code RpcException}
 * -32600 that says why the sandbox cannot be built.
 */
public interface SandboxedFiles {

    /** A session has shown a profile, in whatever request: it may ask for files under it next. Does not wait. */
    void shown(SandboxContext context, Session session);

    /**
     * What a call runs under: what it asks for, or else what the operator has set; empty for nothing. Does not wait.
     *
     * @throws dev.execserver.protocol.rpc.RpcException when the operator wants a sandbox to be asked for
     */
    Optional<SandboxContext> context(Optional<SandboxContext> requested);

    /**
     * Whether the policy gives so much away that this process may carry the request out itself: what it may then tell of
     * the files that it has opened; empty when it may not.
     */
    Optional<Disclosure> mayRunHere(SandboxContext context, FileRequest request);

    /** The same for {@code fs/open}. */
    Optional<Disclosure> mayOpenHere(SandboxContext context, OpenParams params);

    /** Carries a request out in a sandbox. */
    JsonWritable run(SandboxContext context, FileRequest request, Call call) throws InterruptedException;

    /** Opens a file in a sandbox. Reading and writing it is then the caller's, in this process. */
    RegularFile open(SandboxContext context, OpenParams params, Call call) throws InterruptedException;

    /** Files that are read or replaced as a whole in a sandbox. Does not wait yet. */
    WholeFiles wholeFiles(SandboxContext context, HelperUser user);
}
