package dev.execserver.server.helper;

import dev.execserver.helper.fs.Disclosure;
import dev.execserver.helper.fs.RegularFile;
import dev.execserver.protocol.fs.AppendParams;
import dev.execserver.protocol.fs.CanonicalizeParams;
import dev.execserver.protocol.fs.CopyParams;
import dev.execserver.protocol.fs.CreateDirectoryParams;
import dev.execserver.protocol.fs.FileRequest;
import dev.execserver.protocol.fs.MetadataParams;
import dev.execserver.protocol.fs.OpenMode;
import dev.execserver.protocol.fs.OpenParams;
import dev.execserver.protocol.fs.ReadDirectoryParams;
import dev.execserver.protocol.fs.ReadFileParams;
import dev.execserver.protocol.fs.RemoveParams;
import dev.execserver.protocol.fs.RenameParams;
import dev.execserver.protocol.fs.SearchParams;
import dev.execserver.protocol.fs.SetModeParams;
import dev.execserver.protocol.fs.WalkParams;
import dev.execserver.protocol.fs.WriteFileParams;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.FileSystemPolicy;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.PolicyFacts;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.bwrap.LinkGuard;
import dev.execserver.sandbox.bwrap.Placeholders;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.plan.SandboxRefusedException;
import dev.execserver.sandbox.resolve.CrossedLink;
import dev.execserver.sandbox.resolve.LinuxPath;
import dev.execserver.sandbox.resolve.PolicyRefusedException;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.config.Platform;
import dev.execserver.server.files.SandboxedFiles;
import dev.execserver.server.process.ProcessServices;
import dev.execserver.server.rpc.Method.Call;
import dev.execserver.server.sandbox.Sandboxes.Prepared;
import dev.execserver.server.session.Session;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * File calls in sandboxes: in this process where the policy gives everything away, in a helper otherwise. Request threads
 * enter; what touches files runs on file workers. No state but the pool's.
 */
public final class HelperFiles implements SandboxedFiles, AutoCloseable {

    /** Files can change between the look and the start; who changes them all the time gets an error. */
    private static final int ATTEMPTS = 5;

    private static final Logger LOG = LoggerFactory.getLogger(HelperFiles.class);

    private final ProcessServices services;
    private final Optional<HelperRuntime> runtime;
    private final boolean oneRequestEach;
    private final MountGeneration mounts = new MountGeneration();
    private final ShownProfiles shown = new ShownProfiles();
    private final HelperPool pool;

    /**
     * For one server.
     *
     * @param jar what the operator names; else the launcher jar is looked for beside the server's own
     * @param maxHelpers helper processes at once
     * @param mode how long one lives
     */
    public HelperFiles(ProcessServices services, Optional<Path> jar, int maxHelpers, Platform.Helper mode) {
        this.services = services;
        this.runtime = HelperRuntime.find(jar);
        this.oneRequestEach = mode == Platform.Helper.ONESHOT;
        this.pool = new HelperPool(services.timers(), HelperPool.Bounds.of(maxHelpers, oneRequestEach));
    }

    @Override
    public void shown(SandboxContext context, Session session) {
        boolean needed = runtime.isPresent() && !writesEverything(context) && shown.firstTime(session, context);
        if (needed) {
            session.whenEnded(HelperPool.class, () -> ended(session));
            Threads.virtual("helper-prefetch", () -> prefetch(context, session, runtime.get()));
        }
    }

    /** Nobody waits for it: whatever is wrong will be said to the request that needs it. */
    private void prefetch(SandboxContext context, Session session, HelperRuntime java) {
        try {
            prefetch(view(context, session, java), session, java);
        } catch (RuntimeException e) {
            LOG.debug("no helper was started ahead of time: {}", e.getMessage());
        }
    }

    /** Nothing is put on the host for a helper that may never be used. */
    private void prefetch(View view, Session session, HelperRuntime java) {
        if (!view.prepared().needsPlaceholders()) {
            pool.prefetch(view.key(), () -> launch(view, java));
            session.whenEnded(HelperPool.class, () -> ended(session)); // at once, when it has ended meanwhile
        }
    }

    private void ended(Session session) {
        shown.forget(session);
        pool.ownerEnded(session);
    }

    @Override
    public Optional<SandboxContext> context(Optional<SandboxContext> requested) {
        return services.sandboxes().floor().forFiles(requested);
    }

    @Override
    public Optional<Disclosure> mayRunHere(SandboxContext context, FileRequest request) {
        return switch (request) {
            case ReadFileParams _, MetadataParams _, CanonicalizeParams _, ReadDirectoryParams _ ->
                mayReadHere(context, request.path());
            case WalkParams params ->
                // From the top it leads into /proc, which is another one in a sandbox.
                LinuxPath.of(params.path().bytes()).isRoot()
                        ? when(confinesNothing(context))
                        : mayReadHere(context, params.path());
            case WriteFileParams _, CreateDirectoryParams _, RemoveParams _, AppendParams _, SetModeParams _ ->
                when(mayWriteHere(context, request.path()));
            case RenameParams params ->
                when(mayWriteHere(context, params.path()) && mayWriteHere(context, params.destinationPath()));
            // These read what lies below: a tree that holds /proc holds the secrets of this process.
            case CopyParams _, SearchParams _ -> when(confinesNothing(context));
        };
    }

    @Override
    public Optional<Disclosure> mayOpenHere(SandboxContext context, OpenParams params) {
        return params.mode() == OpenMode.READ
                ? mayReadHere(context, params.path())
                : when(mayWriteHere(context, params.path()));
    }

    private static Optional<Disclosure> when(boolean everything) {
        return everything ? Optional.of(Disclosure.FULL) : Optional.empty();
    }

    private boolean confinesNothing(SandboxContext context) {
        return prepared(() -> services.sandboxes().confinesNothing(context));
    }

    private Optional<Disclosure> mayReadHere(SandboxContext context, PathUri path) {
        return readsEverything(context)
                ? prepared(() -> services.sandboxes().mayReadInProcess(context, LinuxPath.of(path.bytes())))
                : Optional.empty();
    }

    private boolean mayWriteHere(SandboxContext context, PathUri path) {
        return writesEverything(context)
                && prepared(() -> services.sandboxes().mayWriteInProcess(context, LinuxPath.of(path.bytes())));
    }

    /** Most policies do not, and that can be told without a look at files. */
    private static boolean readsEverything(SandboxContext context) {
        return !(context.permissions() instanceof PermissionProfile.Managed(FileSystemPolicy files, var _))
                || PolicyFacts.fullRead(files);
    }

    private static boolean writesEverything(SandboxContext context) {
        return !(context.permissions() instanceof PermissionProfile.Managed(FileSystemPolicy files, var _))
                || PolicyFacts.fullWrite(files);
    }

    private <T> T prepared(Callable<T> work) {
        services.sandboxes().capabilities();
        try {
            return services.files().call(work);
        } catch (PolicyRefusedException | SandboxRefusedException | LinuxException e) {
            throw HelperRuntime.refused(e.getMessage());
        }
    }

    @Override
    public JsonWritable run(SandboxContext context, FileRequest request, Call call) throws InterruptedException {
        boolean repeatable = changesNothing(request);
        return withHelper(context, call, repeatable, helper -> helper.run(request, call.memory()));
    }

    @Override
    public RegularFile open(SandboxContext context, OpenParams params, Call call) throws InterruptedException {
        boolean repeatable = params.mode() == OpenMode.READ;
        return withHelper(context, call, repeatable, helper -> helper.open(params, call.memory()));
    }

    private static boolean changesNothing(FileRequest request) {
        return switch (request) {
            case ReadFileParams _,
                    MetadataParams _,
                    CanonicalizeParams _,
                    ReadDirectoryParams _,
                    WalkParams _,
                    SearchParams _ -> true;
            case WriteFileParams _,
                    CreateDirectoryParams _,
                    RemoveParams _,
                    AppendParams _,
                    CopyParams _,
                    RenameParams _,
                    SetModeParams _ -> false;
        };
    }

    /** Something that a helper is asked for. */
    @FunctionalInterface
    private interface Question<T> {
        T ask(HelperProcess helper) throws HelperGoneException, InterruptedException;
    }

    private <T> T withHelper(SandboxContext context, Call call, boolean repeatable, Question<T> question)
            throws InterruptedException {
        HelperRuntime java = runtime.orElseThrow(() ->
                HelperRuntime.refused("the launcher jar of the file helper is missing; name it with --helper-jar"));
        boolean repeated = false;
        for (int attempt = 1; ; attempt++) {
            try {
                return attempt(context, call, java, question);
            } catch (HelperGoneException e) {
                call.memory().release();
                if (!repeatable || repeated) {
                    throw e.toRpc();
                }
                repeated = true;
            } catch (Placeholders.ChangedException e) {
                if (attempt >= ATTEMPTS) {
                    throw HelperRuntime.refused(e.getMessage());
                }
            }
        }
    }

    private <T> T attempt(SandboxContext context, Call call, HelperRuntime java, Question<T> question)
            throws HelperGoneException, InterruptedException {
        Session session = call.session();
        View view = view(context, session, java);
        boolean placeholders = view.prepared().needsPlaceholders();
        session.whenEnded(HelperPool.class, () -> ended(session));
        try (HelperPool.Lease lease = pool.lease(view.key(), placeholders, () -> launch(view, java))) {
            T answer = question.ask(lease.helper());
            List<CrossedLink> guarded = view.prepared().policy().guardedLinks();
            if (!guarded.isEmpty()) {
                restoreLinks(guarded);
            }
            return answer;
        } finally {
            if (oneRequestEach) {
                Threads.virtual("helper-prefetch", () -> prefetch(view, session, java));
            }
        }
    }

    /** What a request may see, and the key for a helper that sees just that. */
    private record View(Prepared prepared, HelperPool.Key key) {}

    private View view(SandboxContext context, Session session, HelperRuntime java) {
        long generation = mounts.current(); // before the look at files: what changes after it is seen the next time
        Prepared made = prepared(() -> {
            Prepared prepared = services.sandboxes().prepareFor(context, java.needs());
            java.check(prepared.policy());
            return prepared;
        });
        return new View(made, new HelperPool.Key(session, made.plan(), generation));
    }

    private HelperProcess launch(View view, HelperRuntime java) {
        return new HelperLauncher(services, java).start(view.prepared());
    }

    /** A helper stays for a while: what it has done to a link that nothing can be mounted over is put right at once. */
    private void restoreLinks(List<CrossedLink> links) {
        services.files().call(() -> LinkGuard.restore(links)).stream()
                .findFirst()
                .ifPresent(violation -> {
                    throw RpcException.internal("the sandbox protects the link " + violation.link() + "; "
                            + violation
                                    .obstacle()
                                    .map(why -> "it was changed and could not be put right: " + why)
                                    .orElse("it was put right"));
                });
    }

    @Override
    public void close() {
        pool.close();
        mounts.close();
    }
}
