package dev.execserver.sandbox.plan;

import dev.execserver.sandbox.bwrap.BwrapPlan;
import dev.execserver.sandbox.seccomp.FilterMode;

/** How a command is started. */
public sealed interface LaunchPlan {
    /** In namespaces of its own. */
    record Bubblewrap(BwrapPlan plan) implements LaunchPlan {}

    /** Under Landlock and a filter. */
    record LandlockSeccomp(LandlockPlan plan) implements LaunchPlan {}

    /** Under a filter only: somebody else guards the files. */
    record FilterOnly(FilterMode filter) implements LaunchPlan {}

    /** As if nobody had asked for a sandbox. */
    record Direct() implements LaunchPlan {}

    /** What confines the command, as clients are told it. */
    default String backend() {
        return switch (this) {
            case Bubblewrap _ -> "bubblewrap";
            case LandlockSeccomp _ -> "landlock";
            case FilterOnly _ -> "seccomp";
            case Direct _ -> "none";
        };
    }

    /** Returns true if the command is confined and shares the network of the host. */
    default boolean onHostNetwork() {
        return switch (this) {
            case Bubblewrap(BwrapPlan plan) -> !plan.isolateNetwork();
            case LandlockSeccomp(LandlockPlan plan) -> plan.filter() != FilterMode.RESTRICTED;
            case FilterOnly(FilterMode filter) -> filter != FilterMode.RESTRICTED;
            case Direct _ -> false;
        };
    }

    /** Returns true if processes of the command can survive it. */
    default boolean mayBeOutlived() {
        return !(this instanceof Bubblewrap(BwrapPlan plan) && plan.isolatePids());
    }

    /** Returns true if the command cannot touch protected links at all, so that nothing is to be put right after it. */
    default boolean holdsLinks() {
        return this instanceof Bubblewrap(BwrapPlan plan) && plan.linkMounts();
    }

    /** Whether anything confines it. */
    default boolean confines() {
        return !(this instanceof Direct);
    }
}
