package dev.execserver.sandbox.limits;

import dev.execserver.sandbox.limits.ControlGroups.Controller;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Bounds of what several commands take together.
 *
 * @param pids processes and threads at the same time, those of sandboxes included
 * @param memoryBytes memory
 */
public record GroupTotals(OptionalLong pids, OptionalLong memoryBytes) {
    public static final GroupTotals NONE = new GroupTotals(OptionalLong.empty(), OptionalLong.empty());

    Map<Controller, Long> byController() {
        Map<Controller, Long> bounds = new EnumMap<>(Controller.class);
        memoryBytes.ifPresent(bytes -> bounds.put(Controller.MEMORY, bytes));
        pids.ifPresent(count -> bounds.put(Controller.PIDS, count));
        return bounds;
    }

    /** Returns true if nothing is bounded. */
    public boolean none() {
        return equals(NONE);
    }
}
