package dev.execserver.sandbox.limits;

import dev.execserver.sandbox.limits.ControlGroups.Controller;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The groups around all commands of one session, if the operator bounds what a session takes. They are made for its first
 * command. File workers use it; {@code lock} guards the list.
 */
public final class SessionGroup implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final ControlGroups groups;
    private final String name;
    private final Set<Path> made = new HashSet<>();

    SessionGroup(ControlGroups groups, String name) {
        this.groups = groups;
        this.name = name;
    }

    /**
     * Returns the directory below which the groups of commands are made.
     *
     * @param own directory of the server
     */
    Path below(Path own, Controller controller, boolean unified) throws IOException {
        if (groups.ofSessions().none()) {
            return own;
        }
        lock.lock();
        try {
            Path path = own.resolve(name);
            if (made.add(path)) {
                ControlGroups.makeParent(path, unified);
            }
            // Version 2 has one directory for all controllers, so the bounds are set for each of them.
            ControlGroups.bound(path, controller, unified, groups.ofSessions());
            return path;
        } finally {
            lock.unlock();
        }
    }

    /** Removes the groups after the last command has ended. Blocks for a moment if one has just ended. */
    @Override
    public void close() {
        lock.lock();
        try {
            made.forEach(groups::removeLater);
            made.clear();
        } finally {
            lock.unlock();
        }
    }
}
