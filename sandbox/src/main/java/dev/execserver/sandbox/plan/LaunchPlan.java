package dev.execserver.sandbox.plan;

import dev.execserver.sandbox.bwrap.BwrapPlan;
import dev.execserver.sandbox.seccomp.FilterMode;

/** The way in which a command is started. */
public sealed interface LaunchPlan {
    /** In its own namespaces. */
    record Bubblewrap(BwrapPlan plan) implements LaunchPlan {}

    /** Under Landlock and a system call filter. */
    record LandlockSeccomp(LandlockPlan plan) implements LaunchPlan {}

    /** Under a system call filter only: something outside of this server restricts the files. */
    record FilterOnly(FilterMode filter) implements LaunchPlan {}

    /** Without any sandbox. */
    record Direct() implements LaunchPlan {}

    default Backend backend() {
        return switch (this) {
            case Bubblewrap _ -> Backend.BUBBLEWRAP;
            case LandlockSeccomp _ -> Backend.LANDLOCK;
            case FilterOnly _ -> Backend.SECCOMP;
            case Direct _ -> Backend.NONE;
        };
    }

    /** Returns true if the command cannot change protected links, so that none must be restored after it. */
    default boolean holdsLinks() {
        return this instanceof Bubblewrap(BwrapPlan plan) && plan.linkMounts();
    }

    /** Returns true if the command is confined in any way. */
    default boolean confines() {
        return !(this instanceof Direct);
    }
}
