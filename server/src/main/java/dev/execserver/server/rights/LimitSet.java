package dev.execserver.server.rights;

import dev.execserver.protocol.process.ResourceLimits;
import dev.execserver.sandbox.limits.GroupTotals;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;

/** Values of some limits. Immutable. */
public record LimitSet(Map<LimitName, Long> values) {
    public static final LimitSet NONE = new LimitSet(Map.of());

    public LimitSet {
        values = Map.copyOf(values);
    }

    public OptionalLong get(LimitName name) {
        Long value = values.get(name);
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }

    public boolean none() {
        return values.isEmpty();
    }

    /** Returns these values, and where there is none that of the other set. */
    LimitSet orElse(LimitSet other) {
        Map<LimitName, Long> all = new EnumMap<>(LimitName.class);
        all.putAll(other.values);
        all.putAll(values);
        return new LimitSet(all);
    }

    /** Returns the smaller value of each limit of both sets. */
    LimitSet smaller(LimitSet other) {
        Map<LimitName, Long> all = new EnumMap<>(LimitName.class);
        all.putAll(values);
        other.values.forEach((name, value) -> all.merge(name, value, Math::min));
        return new LimitSet(all);
    }

    ResourceLimits resources() {
        return new ResourceLimits(
                get(LimitName.PIDS),
                get(LimitName.MEMORY_BYTES),
                get(LimitName.CPU_SECONDS),
                get(LimitName.OPEN_FILES),
                get(LimitName.FILE_SIZE_BYTES));
    }

    /** Returns those that several commands can have together. */
    public GroupTotals totals() {
        return new GroupTotals(get(LimitName.PIDS), get(LimitName.MEMORY_BYTES));
    }
}
