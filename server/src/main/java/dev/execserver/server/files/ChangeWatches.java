package dev.execserver.server.files;

import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.fs.WatchParams;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.memory.MemoryShare;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.rpc.Belonging;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The watches of {@code fs/watch} of one connection. Its reader thread reserves and ends them; request threads only end one
 * that could not be set.
 */
final class ChangeWatches implements Belonging {

    private final Map<Long, ChangeWatch> watches = new ConcurrentHashMap<>();
    private final WaitingChanges memory;

    /** @param server what the waiting changes of all connections may take */
    ChangeWatches(MemoryShare server) {
        this.memory = new WaitingChanges(server);
    }

    /** @throws RpcException -32600 when the id is taken or there are too many */
    ChangeWatch reserve(WatchParams params, Outbound outbound) {
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

    /** One that does not exist is no error. */
    void end(long watchId) {
        Optional.ofNullable(watches.remove(watchId)).ifPresent(ChangeWatch::end);
    }

    @Override
    public void connectionEnded() {
        watches.values().forEach(ChangeWatch::end);
        watches.clear();
    }
}
