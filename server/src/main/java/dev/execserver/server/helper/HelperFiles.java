package dev.execserver.server.helper;

import dev.execserver.helper.fs.DisclosurePolicy;
import dev.execserver.helper.fs.RegularFile;
import dev.execserver.protocol.fs.FileRequest;
import dev.execserver.protocol.fs.OpenMode;
import dev.execserver.protocol.fs.OpenParams;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.FileSystemPolicy;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.PolicyProperties;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.server.concurrent.FileClient;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.config.Platform;
import dev.execserver.server.files.HelperOwner;
import dev.execserver.server.files.SandboxedFiles;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.rights.Caller;
import dev.execserver.server.rpc.Method.Call;
import dev.execserver.server.session.Session;
import dev.execserver.server.transport.files.WholeFiles;
import java.nio.file.Path;
import java.util.Optional;

/**
 * File operations in sandboxes: in this process if the policy permits everything that they touch, in a helper
 * otherwise. Request threads enter; file workers touch files. No state but the pool's.
 */
public final class HelperFiles implements SandboxedFiles, AutoCloseable {

    private final HelperServices services;
    private final PrefetchedProfiles shown = new PrefetchedProfiles();
    private final HelperViews views;

    /**
     * Makes the service of one server.
     *
     * @param jar the launcher jar that the operator names; if empty, it is expected beside the server's own jar
     * @param maxHelpers largest number of helper processes
     * @param mode lifetime of a helper
     */
    public HelperFiles(HelperServices services, Optional<Path> jar, int maxHelpers, Platform.Helper mode) {
        this.services = services;
        boolean oneRequestEach = mode == Platform.Helper.ONESHOT;
        this.views =
                new HelperViews(services, HelperRuntime.find(jar), HelperPool.Bounds.of(maxHelpers, oneRequestEach));
    }

    @Override
    public void shown(SandboxContext context, Session session) {
        boolean needed = views.available() && !writesEverything(context) && shown.firstTime(session, context);
        if (needed) {
            session.whenEnded(PrefetchedProfiles.class, () -> shown.forget(session));
            HelperOwner user = HelperOwner.of(session, AnswerMemory.none());
            Threads.virtual(
                    "helper-prefetch",
                    Caller.forSameCaller(FileClient.forSameClient(() -> views.prefetch(context, user))));
        }
    }

    @Override
    public SandboxContext read(JsonSlice sandbox, Dialect dialect) {
        return services.sandboxes().profiles().context(sandbox, dialect);
    }

    @Override
    public Optional<SandboxContext> context(Optional<SandboxContext> requested) {
        return services.sandboxes().floor().forFiles(requested);
    }

    @Override
    public Optional<DisclosurePolicy> mayRunHere(SandboxContext context, FileRequest request) {
        return switch (request.use()) {
            case READ -> mayReadHere(context, request.path());
            case WALK ->
                // From the root it would lead into /proc, which differs in a sandbox.
                LinuxPath.of(request.path().bytes()).isRoot()
                        ? when(confinesNothing(context))
                        : mayReadHere(context, request.path());
            case WRITE, REMOVE -> when(request.written().stream().allMatch(path -> mayWriteHere(context, path)));
            // These read whole trees, and a tree that holds /proc holds the secrets of this process.
            case COPY, SEARCH -> when(confinesNothing(context));
        };
    }

    @Override
    public Optional<DisclosurePolicy> mayOpenHere(SandboxContext context, OpenParams params) {
        return params.mode() == OpenMode.READ
                ? mayReadHere(context, params.path())
                : when(mayWriteHere(context, params.path()));
    }

    private static Optional<DisclosurePolicy> when(boolean everything) {
        return everything ? Optional.of(DisclosurePolicy.FULL) : Optional.empty();
    }

    private boolean confinesNothing(SandboxContext context) {
        return views.prepared(() -> services.sandboxes().confinesNothing(context));
    }

    private Optional<DisclosurePolicy> mayReadHere(SandboxContext context, PathUri path) {
        return readsEverything(context)
                ? views.prepared(() -> services.sandboxes().mayReadInProcess(context, LinuxPath.of(path.bytes())))
                : Optional.empty();
    }

    private boolean mayWriteHere(SandboxContext context, PathUri path) {
        return writesEverything(context)
                && views.prepared(() -> services.sandboxes().mayWriteInProcess(context, LinuxPath.of(path.bytes())));
    }

    /**
     * Returns true if the profile may permit all reading. Most profiles do not, and this test needs no look at files.
     */
    private static boolean readsEverything(SandboxContext context) {
        return !(context.permissions() instanceof PermissionProfile.Managed(FileSystemPolicy files, var _))
                || PolicyProperties.fullRead(files);
    }

    private static boolean writesEverything(SandboxContext context) {
        return !(context.permissions() instanceof PermissionProfile.Managed(FileSystemPolicy files, var _))
                || PolicyProperties.fullWrite(files);
    }

    @Override
    public JsonWritable run(SandboxContext context, FileRequest request, HelperOwner user) throws InterruptedException {
        boolean repeatable = !request.use().changes();
        return views.ask(context, user, repeatable, helper -> helper.run(request, user.memory()));
    }

    @Override
    public RegularFile open(SandboxContext context, OpenParams params, Call call) throws InterruptedException {
        boolean repeatable = params.mode() == OpenMode.READ;
        return views.ask(context, HelperOwner.of(call), repeatable, helper -> helper.open(params, call.memory()));
    }

    @Override
    public WholeFiles wholeFiles(SandboxContext context, HelperOwner user) {
        return new SandboxedWholeFiles(views, services.files(), context, user);
    }

    @Override
    public void close() {
        views.close();
    }
}
