package dev.execserver.server.app;

import dev.execserver.protocol.app.CommandFamily;
import dev.execserver.server.rpc.ConnectionState;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The commands of one connection that have ids. The reader thread adds and finds them; the threads of their requests
 * remove them.
 */
final class Commands implements ConnectionState {

    private final Map<Key, Command> byId = new ConcurrentHashMap<>();
    private final AtomicLong made = new AtomicLong();

    private record Key(CommandFamily family, String id) {}

    /** Returns a name for the process of a new command, which is unique in its session. */
    String nextName(CommandFamily family) {
        return (family == CommandFamily.COMMAND ? "command-" : "spawn-") + made.incrementAndGet();
    }

    /** @throws dev.execserver.protocol.rpc.RpcException -32600 if a command with this id runs */
    void requireFree(CommandFamily family, String id) {
        if (byId.containsKey(new Key(family, id))) {
            throw CommandWords.of(family).duplicate(id);
        }
    }

    void add(Command command) {
        command.spec().id().ifPresent(id -> byId.put(new Key(command.spec().family(), id), command));
    }

    void remove(Command command) {
        command.spec().id().ifPresent(id -> byId.remove(new Key(command.spec().family(), id), command));
    }

    /** @throws dev.execserver.protocol.rpc.RpcException -32600 if no command with this id runs */
    Command require(CommandFamily family, String id) {
        Command found = byId.get(new Key(family, id));
        if (found == null) {
            throw CommandWords.of(family).unknown(id);
        }
        return found;
    }

    @Override
    public void connectionEnded() {
        byId.clear(); // the session ends its processes
    }
}
