package dev.execserver.sandbox.peer;

import dev.execserver.sandbox.linux.LocalSockets.Found;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcSockets;
import dev.execserver.sandbox.linux.ProcessCalls;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One look at all processes for those that hold any of some sockets. Confined ones come first, each thread of them: one is enough to
 * refuse. Then somebody unconfined has to be found who holds it, because a socket can be hidden: in the queue of a Unix socket (SCM_RIGHTS
 * of unix(7)), or in a process that nobody may look into. That ends with the first one. One thread.
 */
final class Holders {
    private final Confinement confinement;
    private final ControlGroupIds groups;
    private final Map<Long, Found> open = new HashMap<>();
    private final Map<Long, PeerOrigin> known = new HashMap<>();
    private final List<Integer> confined = new ArrayList<>();
    private final List<Integer> unreadable = new ArrayList<>();

    Holders(Confinement confinement, ControlGroupIds groups, Collection<Found> sockets) {
        this.confinement = confinement;
        this.groups = groups;
        sockets.forEach(socket -> open.put(socket.inode(), socket));
    }

    /**
     * Looks.
     *
     * @param likely processes that are asked before others, as far as they live
     * @return by inode; a socket that nobody explains is missing
     */
    Map<Long, PeerOrigin> find(Collection<Integer> likely) {
        List<Integer> others = new ArrayList<>();
        for (int pid : ProcFiles.pids()) {
            (confinement.confined(pid) ? confined : others).add(pid);
        }
        for (int pid : confined) {
            if (!open.isEmpty()) {
                ProcSockets.ofEveryThread(pid, open.keySet())
                        .forEach(inode -> settle(inode, new PeerOrigin.Confined(pid)));
            }
        }
        for (int pid : inOrder(others, likely)) {
            if (open.isEmpty()) {
                break;
            }
            look(pid);
        }
        madeOutside();
        return known;
    }

    /** Who connects is young as a rule, and seldom this process, which has many descriptors. */
    private static List<Integer> inOrder(List<Integer> ascending, Collection<Integer> likely) {
        int self = ProcessCalls.ownPid();
        List<Integer> order = new ArrayList<>(ascending.size());
        likely.stream().filter(ascending::contains).forEach(order::add);
        ascending.reversed().stream()
                .filter(pid -> pid != self && !likely.contains(pid))
                .forEach(order::add);
        if (!likely.contains(self)) {
            order.add(self);
        }
        return order;
    }

    private void settle(long inode, PeerOrigin origin) {
        known.put(inode, origin);
        open.remove(inode);
    }

    private void look(int pid) {
        Optional<Set<Long>> held = ProcSockets.ofFirstThread(pid, open.keySet());
        if (held.isEmpty()) {
            unreadable.add(pid);
            return;
        }
        if (!held.get().isEmpty()) {
            OptionalLong group = groups.of(pid);
            held.get().stream()
                    .filter(inode -> mayHaveMade(open.get(inode), group))
                    .forEach(inode -> settle(inode, new PeerOrigin.Unconfined(pid)));
        }
    }

    /** A process that takes sockets from others, such as a message bus, is told by its control group, which is not the socket's. */
    private static boolean mayHaveMade(Found socket, OptionalLong group) {
        return socket.cgroup().isEmpty() || group.isEmpty() || group.equals(socket.cgroup());
    }

    /**
     * A process that an ordinary user may not look into, such as the sshd(8) at the end of a tunnel: it explains the socket when it is in
     * the control group that the socket was made in, and nobody confined is.
     */
    private void madeOutside() {
        if (open.isEmpty() || unreadable.isEmpty()) {
            return;
        }
        Map<OptionalLong, Integer> makers = new HashMap<>();
        unreadable.stream().filter(confinement::ofThisUser).forEach(pid -> makers.put(groups.of(pid), pid));
        confined.forEach(pid -> makers.remove(groups.of(pid)));
        makers.remove(OptionalLong.empty());
        for (Found socket : List.copyOf(open.values())) {
            Optional.ofNullable(makers.get(socket.cgroup()))
                    .ifPresent(pid -> settle(socket.inode(), new PeerOrigin.Unconfined(pid)));
        }
    }
}
