package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.resolve.CrossedLink;
import dev.execserver.sandbox.resolve.LinuxPath;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.seccomp.FilterMode;
import java.util.List;
import java.util.Optional;

/**
 * How one command is to be confined.
 *
 * @param directory working directory inside the view, canonical
 * @param filter system calls that are denied
 * @param isolateNetwork own network namespace with nothing but a loopback interface
 * @param isolatePids own process ids, so that it sees and signals no process but its own
 * @param sealed a root of its own has no /tmp that can be written
 * @param checked nothing of the command runs before the view that stands was compared with the policy
 * @param signalReset an env(1) inside the view that can unblock signals, for commands on a terminal
 * @param freshProc whether /proc can be mounted here
 * @param linkMounts whether protected symbolic links can be mounted on themselves here; else they are compared and put
 *     right after the command
 * @param doors ports of 127.0.0.1 inside that this server listens on before the command starts; none without a network
 *     of its own
 */
public record BwrapPlan(
        BwrapProgram program,
        ResolvedPolicy policy,
        LinuxPath directory,
        FilterMode filter,
        boolean isolateNetwork,
        boolean isolatePids,
        boolean sealed,
        boolean checked,
        Optional<LinuxPath> signalReset,
        boolean freshProc,
        boolean linkMounts,
        List<Integer> doors) {

    public BwrapPlan {
        doors = List.copyOf(doors);
        if (!doors.isEmpty() && !isolateNetwork) {
            throw new IllegalArgumentException("doors lead out of a network of its own");
        }
    }

    ViewBuilder.Scratch scratch() {
        if (sealed) {
            return ViewBuilder.Scratch.NONE;
        }
        return program.has(BwrapProgram.Feature.SIZE) ? ViewBuilder.Scratch.BOUNDED : ViewBuilder.Scratch.UNBOUNDED;
    }

    /** The same for a program that itself refuses the names that do not exist and must not be made. */
    public BwrapPlan forRefusingProgram() {
        return new BwrapPlan(
                program,
                policy.withoutMissing(),
                directory,
                filter,
                isolateNetwork,
                isolatePids,
                sealed,
                checked,
                signalReset,
                freshProc,
                linkMounts,
                doors);
    }

    /** The protected links that are mounted on themselves before the command runs. */
    List<CrossedLink> mountedLinks() {
        return linkMounts ? policy.guardedLinks() : List.of();
    }

    /** The protected links that the command can replace, and that are put right after it. */
    List<CrossedLink> repairedLinks() {
        return linkMounts ? List.of() : policy.guardedLinks();
    }

    /** Returns true if something is left to be done when the view stands, while bubblewrap waits for the filter. */
    boolean held() {
        return checked || !mountedLinks().isEmpty();
    }

    ViewBuilder.Proc proc() {
        if (!isolatePids) {
            return ViewBuilder.Proc.INHERITED;
        }
        return freshProc ? ViewBuilder.Proc.FRESH : ViewBuilder.Proc.EMPTY;
    }
}
