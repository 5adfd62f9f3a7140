package dev.execserver.server.helper;

import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.outcome.FilesChangedException;
import dev.execserver.sandbox.paths.CrossedLink;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import dev.execserver.sandbox.plan.SandboxRefusedException;
import dev.execserver.sandbox.plan.SandboxRun;
import dev.execserver.server.concurrent.FileClient;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.files.HelperOwner;
import dev.execserver.server.rights.Caller;
import dev.execserver.server.sandbox.Sandboxes.Prepared;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds or starts the helper for the view of a request, computed from the present files, and sends it the request.
 * Request threads enter; file workers touch files. No state but the pool's.
 */
final class HelperViews implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HelperViews.class);

    private final HelperServices services;
    private final Optional<HelperRuntime> runtime;
    private final boolean oneRequestEach;
    private final HelperPool pool;

    /** @param runtime empty if no helper can be started; each request fails then */
    HelperViews(HelperServices services, Optional<HelperRuntime> runtime, HelperPool.Bounds bounds) {
        this.services = services;
        this.runtime = runtime;
        this.oneRequestEach = bounds.oneRequestEach();
        this.pool = new HelperPool(services.timers(), bounds);
    }

    /** A request to a helper. */
    @FunctionalInterface
    interface Question<T> {
        T ask(HelperProcess helper) throws HelperGoneException, InterruptedException;
    }

    /** The view of a request, and the key of the helpers that have it. */
    private record View(Prepared prepared, HelperPool.Key key) {}

    boolean available() {
        return runtime.isPresent();
    }

    /** Sends the request to a helper. Sends it once more if the helper ends and the request is repeatable. */
    <T> T ask(SandboxContext context, HelperOwner user, boolean repeatable, Question<T> question)
            throws InterruptedException {
        try (Held<T> held = hold(context, user, repeatable, question)) {
            held.restoreLinks();
            return held.answer();
        }
    }

    /** Does the same as {@link #ask} and keeps the helper leased. */
    <T> Held<T> hold(SandboxContext context, HelperOwner user, boolean repeatable, Question<T> question)
            throws InterruptedException {
        boolean repeated = false;
        for (int attempt = 1; ; attempt++) {
            try {
                return attempt(context, user, question);
            } catch (HelperGoneException e) {
                user.memory().release();
                if (!repeatable || repeated) {
                    throw e.toRpc();
                }
                repeated = true;
            } catch (FilesChangedException e) {
                if (attempt >= FilesChangedException.ATTEMPTS) {
                    throw HelperRuntime.refused(e.getMessage());
                }
            }
        }
    }

    private <T> Held<T> attempt(SandboxContext context, HelperOwner user, Question<T> question)
            throws HelperGoneException, InterruptedException {
        View view = view(context, user.owner());
        user.atEnd().accept(() -> pool.ownerEnded(user.owner()));
        HelperPool.Lease lease = pool.lease(view.key(), () -> launch(view));
        Optional<T> answer = Optional.empty();
        try {
            answer = Optional.of(question.ask(lease.helper()));
            return new Held<>(context, user, view, lease, answer.get());
        } finally {
            if (answer.isEmpty()) {
                giveBack(lease, view, user);
            }
        }
    }

    /** Ends the lease. In one-shot mode starts the next helper while the answer is being sent. */
    private void giveBack(HelperPool.Lease lease, View view, HelperOwner user) {
        lease.close();
        if (oneRequestEach && user.returns()) {
            Threads.virtual(
                    "helper-prefetch", Caller.forSameCaller(FileClient.forSameClient(() -> prefetch(view, user))));
        }
    }

    /** A leased helper and its answer. The pool does not end it for being idle while it is held. One thread. */
    final class Held<T> implements AutoCloseable {
        private final SandboxContext context;
        private final HelperOwner user;
        private final View view;
        private final HelperPool.Lease lease;
        private final T answer;

        private Held(SandboxContext context, HelperOwner user, View view, HelperPool.Lease lease, T answer) {
            this.context = context;
            this.user = user;
            this.view = view;
            this.lease = lease;
            this.answer = answer;
        }

        T answer() {
            return answer;
        }

        /** Sends another request to the same helper. */
        <A> A ask(Question<A> question) throws InterruptedException {
            try {
                return question.ask(lease.helper());
            } catch (HelperGoneException e) {
                throw e.toRpc();
            }
        }

        /** Returns true if the helper still answers. Becomes false before anything of its view is removed. */
        boolean alive() {
            return lease.helper().alive();
        }

        /** Returns true if a helper started now would see the same files under the same names. */
        boolean current() {
            HelperPool.Key now = view(context, user.owner()).key();
            return now.plan().equals(view.key().plan())
                    && now.refused().equals(view.key().refused());
        }

        /** Restores protected links that no mount can cover, because the helper lives on and may have changed them. */
        void restoreLinks() {
            List<CrossedLink> guarded = view.prepared().policy().guardedLinks();
            if (!guarded.isEmpty() && !view.prepared().plan().holdsLinks()) {
                HelperViews.this.restoreLinks(guarded);
            }
        }

        @Override
        public void close() {
            giveBack(lease, view, user);
        }
    }

    private View view(SandboxContext context, Object owner) {
        HelperRuntime java = java();
        long generation = services.sandboxes()
                .mounts()
                .current(); // before the look at files: a later change is seen the next time
        Prepared made = prepared(() -> {
            Prepared prepared = services.sandboxes().prepareFor(context, java.needs());
            java.check(prepared.policy());
            return prepared;
        });
        return new View(made, new HelperPool.Key(owner, made.plan(), made.refused(), generation));
    }

    private HelperRuntime java() {
        return runtime.orElseThrow(() ->
                HelperRuntime.refused("the launcher jar of the file helper is missing; name it with --helper-jar"));
    }

    private HelperProcess launch(View view) {
        return new HelperLauncher(services, java(), pool::end).start(view.prepared());
    }

    /**
     * Runs work on a policy on a file worker. Translates the reason why the policy cannot be enforced to an error of
     * the protocol.
     */
    <T> T prepared(Callable<T> work) {
        services.sandboxes().capabilities();
        try {
            return services.files().callWhileWanted(work);
        } catch (PolicyRefusedException | SandboxRefusedException | LinuxException e) {
            throw HelperRuntime.refused(e.getMessage());
        }
    }

    /** Starts a helper ahead of time. No request waits for it; a request that needs it reports an error. */
    void prefetch(SandboxContext context, HelperOwner user) {
        try {
            prefetch(view(context, user.owner()), user);
        } catch (RuntimeException e) {
            LOG.debug("no helper was started ahead of time: {}", e.getMessage());
        }
    }

    private void prefetch(View view, HelperOwner user) {
        pool.prefetch(view.key(), () -> launch(view));
        user.atEnd().accept(() -> pool.ownerEnded(user.owner())); // runs at once if the owner has ended meanwhile
    }

    private void restoreLinks(List<CrossedLink> links) {
        services.files().call(() -> SandboxRun.restore(links)).stream()
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
    }
}
