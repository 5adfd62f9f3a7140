package dev.execserver.server.files;

import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.fs.WatchParams;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.memory.MemoryBudget;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.rpc.ConnectionState;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The watches of {@code fs/watch} of one connection. The connection's reader thread reserves and ends them; a request
 * thread only ends a watch that could not be started.
 */
public final class ChangeWatches implements ConnectionState {

    private final Map<Long, ChangeWatch> watches = new ConcurrentHashMap<>();
    private final WaitingChanges memory;

    /** @param server memory share for the waiting changes of all connections */
    public ChangeWatches(MemoryBudget server) {
        this.memory = new WaitingChanges(server);
    }

    /** @throws RpcException -32600 if the id is taken or there are too many watches */
    public ChangeWatch reserve(WatchParams params, Outbound outbound) {
        watches.values().removeIf(ChangeWatch::ended);
        if (watches.containsKey(params.watchId())) {
            throw RpcException.invalidRequest("watch " + params.watchId() + " already exists");
        }
        if (watches.size() >= FsLimits.WATCHES) {
            throw RpcException.invalidRequest(
                    "at most " + FsLimits.WATCHES + " watches may be set per connection; end some with fs/unwatch");
        }
        ChangeWatch watch = new ChangeWatch(params, outbound, memory);
        watches.put(params.watchId(), watch);
        return watch;
    }

    /** Ends a watch. Does nothing if it does not exist. */
    public void end(long watchId) {
        Optional.ofNullable(watches.remove(watchId)).ifPresent(ChangeWatch::end);
    }

    @Override
    public void connectionEnded() {
        watches.values().forEach(ChangeWatch::end);
        watches.clear();
    }
}
