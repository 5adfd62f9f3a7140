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
 * One look at all processes of this user for those that hold a socket. Confined ones come first, each thread of them: one is enough to
 * refuse. Then somebody unconfined has to be found who holds it, because a socket can be hidden: in the queue of a Unix socket (SCM_RIGHTS
 * of unix(7)), or in a process that nobody may look into.
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

    /** Empty when nobody was found. */
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

    /** A process that takes sockets from others, such as a message bus, is told by its control group, which is not the socket's. */
    private boolean mayHaveMadeIt(int pid) {
        OptionalLong group = groups.of(pid);
        return socket.cgroup().isEmpty() || group.isEmpty() || group.equals(socket.cgroup());
    }

    /**
     * A process that an ordinary user may not look into, such as the sshd(8) at the end of a tunnel: it explains the socket when it is in
     * the control group that the socket was made in, and nobody confined is.
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
