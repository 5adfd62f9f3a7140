package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Additions of this server about the exit of a process. They are members of {@code process/exited} and of
 * {@code process/read}, each left out when empty.
 *
 * @param denial operation that the sandbox refused
 * @param violations forbidden states that were found when the process ended
 * @param usage resources that the process used, if its start had limits
 */
public record ExitDetails(Optional<Denial> denial, List<SandboxViolation> violations, Optional<ResourceUsage> usage) {

    public static final ExitDetails NONE = new ExitDetails(Optional.empty(), List.of(), Optional.empty());

    public ExitDetails {
        violations = List.copyOf(violations);
    }

    /** Returns these details with this denial instead. */
    public ExitDetails withDenial(Optional<Denial> other) {
        return new ExitDetails(other, violations, usage);
    }

    /** Returns these details with the current member of {@code in} added, or unchanged if it is none of them. */
    ExitDetails read(ParamsReader in) {
        return switch (in.name()) {
            case "denial" -> new ExitDetails(in.structOrNull("Denial", Denial::read), violations, usage);
            case "violations" -> new ExitDetails(denial, in.structs("SandboxViolation", SandboxViolation::read), usage);
            case "usage" -> new ExitDetails(denial, violations, in.structOrNull("ResourceUsage", ResourceUsage::read));
            default -> this;
        };
    }

    /** Writes the members into the open object. */
    void writeMembers(JsonGenerator g) throws IOException {
        if (denial.isPresent()) {
            JsonFields.valueOrNull(g, "denial", denial);
        }
        if (!violations.isEmpty()) {
            g.writeFieldName("violations");
            JsonFields.values(g, violations);
        }
        if (usage.isPresent()) {
            JsonFields.valueOrNull(g, "usage", usage);
        }
    }

    /** Does the same after other members. */
    void writeMembers(MessageBuffer out) {
        denial.ifPresent(value -> {
            out.ascii(",\"denial\":");
            MessageEncoder.value(out, value);
        });
        if (!violations.isEmpty()) {
            out.ascii(",\"violations\":[");
            for (int i = 0; i < violations.size(); i++) {
                if (i > 0) {
                    out.write(',');
                }
                MessageEncoder.value(out, violations.get(i));
            }
            out.write(']');
        }
        usage.ifPresent(value -> {
            out.ascii(",\"usage\":");
            MessageEncoder.value(out, value);
        });
    }
}
