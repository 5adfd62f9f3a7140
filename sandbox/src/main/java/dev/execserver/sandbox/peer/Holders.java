package dev.execserver.sandbox.peer;

import dev.execserver.sandbox.linux.LocalSockets;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcSockets;
import dev.execserver.sandbox.linux.ProcSockets.Holding;
import dev.execserver.sandbox.linux.ProcStatus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Searches all processes of this user once for the holders of a socket. Confined processes come first, with each of their
 * threads: one holder among them is enough to refuse. Otherwise an unconfined holder must be found, because a socket can be
 * hidden in the queue of a Unix socket (SCM_RIGHTS of unix(7)) or in a process that cannot be read.
 */
final class Holders {
    private final Confinement confinement;
    private final ControlGroupIds groups;
    private final LocalSockets.Found socket;
    private final List<Integer> confined = new ArrayList<>();
    private final List<Integer> others = new ArrayList<>();

    Holders(Confinement confinement, ControlGroupIds groups, LocalSockets.Found socket) {
        this.confinement = confinement;
        this.groups = groups;
        this.socket = socket;
    }

    /** Returns the origin; empty if no holder was found. */
    Optional<PeerOrigin> find() {
        for (int pid : ProcFiles.pids()) {
            ProcStatus.of(pid)
                    .filter(confinement::ofThisUser)
                    .ifPresent(status -> (confinement.confined(status) ? confined : others).add(pid));
        }
        for (int pid : confined) {
            if (ProcSockets.ofEveryThread(pid, socket.inode()) == Holding.HOLDS) {
                return Optional.of(new PeerOrigin.Confined(pid));
            }
        }
        return unconfined().map(PeerOrigin.Unconfined::new);
    }

    private Optional<Integer> unconfined() {
        List<Integer> unreadable = new ArrayList<>();
        for (int pid : others) {
            switch (ProcSockets.ofFirstThread(pid, socket.inode())) {
                case HOLDS -> {
                    if (mayHaveMadeIt(pid)) {
                        return Optional.of(pid);
                    }
                }
                case UNREADABLE -> unreadable.add(pid);
                case HOLDS_NOT -> {}
            }
        }
        return madeOutside(unreadable);
    }

    /**
     * Returns false if the process is in another control group than the socket. Such a process may have received the socket
     * from its maker, as a message bus does.
     */
    private boolean mayHaveMadeIt(int pid) {
        OptionalLong group = groups.of(pid);
        return socket.cgroup().isEmpty() || group.isEmpty() || group.equals(socket.cgroup());
    }

    /**
     * Returns a process that an ordinary user cannot read, such as the sshd(8) at the end of a tunnel. It explains the socket
     * if it is in the control group in which the socket was made, and no confined process is.
     */
    private Optional<Integer> madeOutside(List<Integer> unreadable) {
        if (unreadable.isEmpty() || socket.cgroup().isEmpty()) {
            return Optional.empty();
        }
        Set<OptionalLong> tainted = new HashSet<>();
        confined.forEach(pid -> tainted.add(groups.of(pid)));
        return tainted.contains(socket.cgroup())
                ? Optional.empty()
                : unreadable.stream()
                        .filter(pid -> groups.of(pid).equals(socket.cgroup()))
                        .findFirst();
    }
}
