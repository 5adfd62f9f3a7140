package dev.execserver.sandbox.plan;

/**
 * Sandbox options that the operator sets.
 *
 * @param isolatePids false: sandboxed commands share the process ids of the host
 * @param forceLandlock true: use Landlock even if bubblewrap works
 * @param sealed true: the view does not even get its own /tmp. For programs whose output there would be lost unnoticed
 */
public record PlanOptions(boolean isolatePids, boolean forceLandlock, boolean sealed) {
    public static final PlanOptions DEFAULT = new PlanOptions(true, false, false);
}
