package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.net.ProxyChange;
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
 * @param observed change of the proxy's settings that allows all hosts that mode {@code observe} has let through beside them
 */
public record ExitDetails(
        Optional<Denial> denial,
        List<SandboxViolation> violations,
        Optional<ResourceUsage> usage,
        Optional<ProxyChange> observed) {

    public static final ExitDetails NONE =
            new ExitDetails(Optional.empty(), List.of(), Optional.empty(), Optional.empty());

    public ExitDetails {
        violations = List.copyOf(violations);
    }

    /** Returns these details with this denial instead. */
    public ExitDetails withDenial(Optional<Denial> other) {
        return new ExitDetails(other, violations, usage, observed);
    }

    /** Returns these details with what was observed. */
    public ExitDetails withObserved(Optional<ProxyChange> hosts) {
        return new ExitDetails(denial, violations, usage, hosts);
    }

    /** Returns these details with the current member of {@code in} added, or unchanged if it is none of them. */
    ExitDetails read(ParamsReader in) {
        return switch (in.name()) {
            case "denial" -> new ExitDetails(in.structOrNull("Denial", Denial::read), violations, usage, observed);
            case "violations" ->
                new ExitDetails(denial, in.structs("SandboxViolation", SandboxViolation::read), usage, observed);
            case "usage" ->
                new ExitDetails(denial, violations, in.structOrNull("ResourceUsage", ResourceUsage::read), observed);
            case "observed" -> new ExitDetails(denial, violations, usage, ProxyChange.readMember(in));
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
        if (observed.isPresent()) {
            JsonFields.valueOrNull(g, "observed", observed);
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
        observed.ifPresent(value -> {
            out.ascii(",\"observed\":");
            MessageEncoder.value(out, value);
        });
    }
}
