package dev.execserver.server.mcp.shell;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.mcp.OpenCall;
import dev.execserver.server.memory.MemoryBudget;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Commands of one client in the background. One that has ended is kept until its place is needed. Threads of calls enter; {@code lock}
 * guards the map and is not held while a command starts.
 */
final class BackgroundCommands implements AutoCloseable {
    static final int MAX_COMMANDS = 64;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, BackgroundCommand> commands = new LinkedHashMap<>();
    private final Commands starter;
    private final MemoryBudget memory;
    private int starting;
    private boolean closed;

    BackgroundCommands(Commands starter, MemoryBudget memory) {
        this.starter = starter;
        this.memory = memory;
    }

    /** @throws RpcException if it cannot be started, or too many run */
    BackgroundCommand start(CommandSpec spec, ClientRoots roots, OpenCall call) throws InterruptedException {
        takePlace();
        BackgroundCommand command;
        try {
            command = new BackgroundCommand(spec, starter.start(spec, roots.current(), call), memory);
        } catch (RuntimeException | InterruptedException e) {
            givePlaceBack();
            throw e;
        }
        boolean late;
        lock.lock();
        try {
            starting--;
            commands.put(spec.id(), command);
            late = closed;
        } finally {
            lock.unlock();
        }
        if (late) {
            command.running().kill();
        }
        Threads.virtual("mcp-background", () -> {
            command.collect();
            starter.drop(command.running());
        });
        return command;
    }

    private void takePlace() {
        lock.lock();
        try {
            if (commands.size() + starting >= MAX_COMMANDS && !forgetOldest()) {
                throw RpcException.internal(MAX_COMMANDS + " commands run in the background already; end one first");
            }
            starting++;
        } finally {
            lock.unlock();
        }
    }

    private void givePlaceBack() {
        lock.lock();
        try {
            starting--;
        } finally {
            lock.unlock();
        }
    }

    private boolean forgetOldest() {
        for (BackgroundCommand command : commands.values()) {
            if (command.ended()) {
                commands.remove(command.spec().id());
                command.output().close();
                return true;
            }
        }
        return false;
    }

    /** @throws RpcException -32602 if there is none */
    BackgroundCommand find(String id) {
        lock.lock();
        try {
            BackgroundCommand command = commands.get(id);
            if (command == null) {
                throw RpcException.invalidParams(
                        "no command in the background has the id `" + id + "`; see shell_list");
            }
            return command;
        } finally {
            lock.unlock();
        }
    }

    List<BackgroundCommand> all() {
        lock.lock();
        try {
            return new ArrayList<>(commands.values());
        } finally {
            lock.unlock();
        }
    }

    /** Frees what is kept of them. The session ends those that run. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            commands.values().forEach(command -> command.output().close());
        } finally {
            lock.unlock();
        }
    }
}
