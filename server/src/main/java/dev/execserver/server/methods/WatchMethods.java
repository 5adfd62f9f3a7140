package dev.execserver.server.methods;

import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.fs.FsMethodNames;
import dev.execserver.protocol.fs.MissingChangedNotification;
import dev.execserver.protocol.fs.UnwatchParams;
import dev.execserver.protocol.fs.WatchMissingParams;
import dev.execserver.protocol.fs.WatchMissingResult;
import dev.execserver.protocol.fs.WatchParams;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.files.ChangeWatch;
import dev.execserver.server.files.ChangeWatches;
import dev.execserver.server.files.FileWatcher;
import dev.execserver.server.files.MissingWatch;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.rpc.Answer;
import dev.execserver.server.rpc.ConnectionState;
import dev.execserver.server.rpc.FloorRule;
import dev.execserver.server.rpc.Method;
import dev.execserver.server.rpc.Method.Call;
import dev.execserver.server.rpc.Method.Work;
import dev.execserver.server.rpc.MethodFamily;
import dev.execserver.server.sandbox.FileVisibility;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The {@code fs/watch*} methods. Handlers run on reader threads and replace the watches of a connection; file workers
 * start the watches. No state of its own.
 */
public final class WatchMethods {
    /** Descriptors of a watch. All watches share one descriptor; directories are open only while they are read. */
    private static final int FOR_WATCH = 3;

    private final FileWatcher watcher;
    private final FileWorkers workers;
    private final Supplier<FileVisibility> visibilities;

    /** @param visibilities makes the decision which paths the client of the thread may watch */
    public WatchMethods(FileWatcher watcher, FileWorkers workers, Supplier<FileVisibility> visibilities) {
        this.watcher = watcher;
        this.workers = workers;
        this.visibilities = visibilities;
    }

    public List<Method<?>> methods() {
        return List.of(
                Method.ordinary(
                        FsMethodNames.WATCH_MISSING,
                        MethodFamily.FILE_SYSTEM,
                        FloorRule.WATCH,
                        WatchMissingParams::read,
                        this::watchMissing),
                Method.ordinary(
                                FsMethodNames.WATCH,
                                MethodFamily.FILE_SYSTEM,
                                FloorRule.WATCH,
                                WatchParams::read,
                                this::watch)
                        .opening(_ -> FOR_WATCH)
                        .asAdditive(),
                Method.control(
                                FsMethodNames.UNWATCH,
                                MethodFamily.FILE_SYSTEM,
                                FloorRule.OWN,
                                UnwatchParams::read,
                                this::unwatch)
                        .asAdditive());
    }

    /** The only watch for missing paths of a connection. Reader thread only. */
    private static final class Current implements ConnectionState {
        private Optional<MissingWatch> watch = Optional.empty();

        void replace(MissingWatch next) {
            watch.ifPresent(MissingWatch::cancel);
            watch = Optional.of(next);
        }

        @Override
        public void connectionEnded() {
            watch.ifPresent(MissingWatch::cancel);
        }
    }

    private Work watchMissing(Call call, WatchMissingParams params) {
        if (params.missing().size() > FsLimits.MISSING_PATHS) {
            throw RpcException.invalidRequest(
                    "fs/watchMissing takes at most " + FsLimits.MISSING_PATHS + " missing paths");
        }
        Outbound outbound = call.connection().outbound();
        FileVisibility visibility = visibilities.get();
        MissingWatch watch = new MissingWatch(
                params,
                client(call),
                visibility,
                () -> notify(
                        outbound, FsMethodNames.MISSING_CHANGED, new MissingChangedNotification(params.watchId())));
        call.connection().belonging(Current.class, Current::new).replace(watch);
        return () -> {
            boolean watching = workers.call(() -> {
                params.missing().forEach(visibility::require);
                params.present().ifPresent(visibility::require);
                return watch.arm();
            });
            return Answer.of(new WatchMissingResult(watching)).then(watch::answered);
        };
    }

    private Work watch(Call call, WatchParams params) {
        ChangeWatches watches = watches(call);
        ChangeWatch watch = watches.reserve(params, call.connection().outbound());
        FileWatcher.Client client = client(call);
        FileVisibility visibility = visibilities.get();
        return () -> {
            try {
                workers.call(() -> {
                    watch.begin(client, workers, visibility);
                    return watch;
                });
            } catch (RuntimeException e) {
                watches.end(params.watchId());
                throw e;
            }
            return Answer.empty().then(watch::answered);
        };
    }

    private FileWatcher.Client client(Call call) {
        return call.connection().belonging(FileWatcher.Client.class, watcher::client);
    }

    private ChangeWatches watches(Call call) {
        return call.connection().belonging(ChangeWatches.class, () -> new ChangeWatches(watcher.memory()));
    }

    private Work unwatch(Call call, UnwatchParams params) {
        watches(call).end(params.watchId());
        return Answer::empty;
    }

    /** Sends a notification without waiting. If the connection's queue is full, a new thread waits. */
    private static void notify(Outbound outbound, String method, JsonWritable params) {
        MessageBuffer message = new MessageBuffer();
        MessageEncoder.notification(message, method, params);
        if (!outbound.offer(message, () -> {})) {
            Threads.virtual("notification", () -> outbound.send(message, AnswerMemory.none()));
        }
    }
}
