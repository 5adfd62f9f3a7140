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
import java.util.function.IntPredicate;

/**
 * Searches all processes once for the holders of some sockets. Confined processes come first, with each of their threads: one holder
 * among them is enough to refuse. Otherwise an unconfined holder must be found, because a socket can be hidden in the queue of a Unix
 * socket (SCM_RIGHTS of unix(7)) or in a process that cannot be read. The search ends with the first one. One thread.
 */
final class SocketHolders {
    private final Confinement confinement;
    private final ControlGroupIds groups;
    private final IntPredicate noClient;
    private final Map<Long, Found> open = new HashMap<>();
    private final Map<Long, PeerOrigin> known = new HashMap<>();
    private final List<Integer> confined = new ArrayList<>();
    private final List<Integer> unreadable = new ArrayList<>();

    /** @param noClient true for the pids of processes that are never clients, whatever they hold */
    SocketHolders(Confinement confinement, ControlGroupIds groups, IntPredicate noClient, Collection<Found> sockets) {
        this.confinement = confinement;
        this.groups = groups;
        this.noClient = noClient;
        sockets.forEach(socket -> open.put(socket.inode(), socket));
    }

    /**
     * Searches.
     *
     * @param likely processes that are searched before others, if they live
     * @return origins by inode, without the sockets of which no holder was found
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

    /** Returns true if the search has seen a sandboxed command that may have sockets in the network of the server. */
    boolean confinedInNetwork() {
        return confined.stream().anyMatch(confinement::sharesNetwork);
    }

    /** Returns true if the search has seen a sandboxed command. */
    boolean sawConfined() {
        return !confined.isEmpty();
    }

    /** Clients are young processes as a rule. This process is seldom one, and it has many descriptors. */
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
        if (held.get().isEmpty()) {
            return;
        }
        if (noClient.test(pid)) {
            PeerOrigin server =
                    new PeerOrigin.Unexplained("process " + pid + " has it open, which is a server and no client");
            held.get().forEach(inode -> settle(inode, server));
        } else {
            OptionalLong group = groups.of(pid);
            held.get().stream()
                    .filter(inode -> mayHaveMade(open.get(inode), group))
                    .forEach(inode -> settle(inode, new PeerOrigin.Unconfined(pid)));
        }
    }

    /**
     * Returns false if the process is in another control group than the socket. Such a process may have received the socket
     * from its maker, as a message bus does.
     */
    private static boolean mayHaveMade(Found socket, OptionalLong group) {
        return socket.cgroup().isEmpty() || group.isEmpty() || group.equals(socket.cgroup());
    }

    /**
     * Takes a process that an ordinary user cannot read, such as the sshd(8) at the end of a tunnel. It explains the socket if it is in
     * the control group in which the socket was made, and no confined process with the network of the server is.
     */
    private void madeOutside() {
        if (open.isEmpty() || unreadable.isEmpty()) {
            return;
        }
        Map<OptionalLong, Integer> makers = new HashMap<>();
        unreadable.stream().filter(confinement::ofThisUser).forEach(pid -> makers.put(groups.of(pid), pid));
        confined.stream().filter(confinement::sharesNetwork).forEach(pid -> makers.remove(groups.of(pid)));
        makers.remove(OptionalLong.empty());
        for (Found socket : List.copyOf(open.values())) {
            Optional.ofNullable(makers.get(socket.cgroup()))
                    .ifPresent(pid -> settle(socket.inode(), new PeerOrigin.Unconfined(pid)));
        }
    }
}
