package dev.execserver.sandbox.plan;

/**
 * What the operator has decided.
 *
 * @param isolatePids false: sandboxed commands share the process ids of the host
 * @param forceLandlock use Landlock even where bubblewrap works
 */
public record PlanOptions(boolean isolatePids, boolean forceLandlock) {
    public static final PlanOptions DEFAULT = new PlanOptions(true, false);
}
