package dev.execserver.sandbox.plan;

/**
 * What the operator has decided.
 *
 * @param isolatePids false: sandboxed commands share the process ids of the host
 * @param forceLandlock use Landlock even where bubblewrap works
 * @param sealed the view has no /tmp of its own either: for programs whose output would be lost with it, and who would not
 *     know
 * @param checked views are compared with their policies before anything runs in them
 */
public record PlanOptions(boolean isolatePids, boolean forceLandlock, boolean sealed, boolean checked) {
    public static final PlanOptions DEFAULT = new PlanOptions(true, false, false, false);
}
