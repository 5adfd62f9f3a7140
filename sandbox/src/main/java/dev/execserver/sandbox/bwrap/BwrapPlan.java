package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.network.InnerSockets;
import dev.execserver.sandbox.paths.CrossedLink;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.seccomp.FilterMode;
import java.util.List;
import java.util.Optional;

/**
 * The confinement of one command.
 *
 * @param directory working directory inside the view, canonical
 * @param filter kind of system call filter
 * @param isolateNetwork true for an own network namespace with only a loopback interface
 * @param isolatePids true for own process ids, so that the command sees and signals only its own processes
 * @param sealed true if a view with its own root has no writable /tmp
 * @param signalReset an env(1) inside the view that can reset signals, for commands on a terminal
 * @param freshProc true if /proc can be mounted on this machine
 * @param linkMounts true if protected symbolic links can be mounted on themselves here; otherwise they are compared and
 *     restored after the command
 * @param doors sockets inside that this server has before the command starts; none without an own network
 */
public record BwrapPlan(
        BwrapProgram program,
        ResolvedPolicy policy,
        LinuxPath directory,
        FilterMode filter,
        boolean isolateNetwork,
        boolean isolatePids,
        boolean sealed,
        Optional<LinuxPath> signalReset,
        boolean freshProc,
        boolean linkMounts,
        InnerSockets doors) {

    public BwrapPlan {
        if (doors.count() > 0 && !isolateNetwork) {
            throw new IllegalArgumentException("doors lead out of a network of its own");
        }
    }

    ViewBuilder.Scratch scratch() {
        if (sealed) {
            return ViewBuilder.Scratch.NONE;
        }
        return program.has(BwrapProgram.Feature.SIZE) ? ViewBuilder.Scratch.BOUNDED : ViewBuilder.Scratch.UNBOUNDED;
    }

    /** Returns a copy for a program that itself refuses to create the missing protected names. */
    public BwrapPlan forRefusingProgram() {
        return new BwrapPlan(
                program,
                policy.withoutMissing(),
                directory,
                filter,
                isolateNetwork,
                isolatePids,
                sealed,
                signalReset,
                freshProc,
                linkMounts,
                doors);
    }

    /** Returns the protected links that are mounted on themselves before the command runs. */
    List<CrossedLink> mountedLinks() {
        return linkMounts ? policy.guardedLinks() : List.of();
    }

    /** Returns the protected links that the command can replace and that are restored after it. */
    List<CrossedLink> repairedLinks() {
        return linkMounts ? List.of() : policy.guardedLinks();
    }

    ViewBuilder.Proc proc() {
        if (!isolatePids) {
            return ViewBuilder.Proc.INHERITED;
        }
        return freshProc ? ViewBuilder.Proc.FRESH : ViewBuilder.Proc.EMPTY;
    }
}
