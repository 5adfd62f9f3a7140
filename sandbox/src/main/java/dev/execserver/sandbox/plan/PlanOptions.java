package dev.execserver.sandbox.plan;

/**
 * Sandbox options that the operator sets.
 *
 * @param isolatePids false: sandboxed commands share the process ids of the host
 * @param forceLandlock true: use Landlock even if bubblewrap works
 * @param sealed true: the view does not even get its own /tmp. For programs whose output there would be lost unnoticed
 * @param checked true: each view is compared with its policy before anything runs in it
 */
public record PlanOptions(boolean isolatePids, boolean forceLandlock, boolean sealed, boolean checked) {
    public static final PlanOptions DEFAULT = new PlanOptions(true, false, false, false);
}
