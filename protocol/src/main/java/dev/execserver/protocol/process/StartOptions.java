package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Additions of this server to {@code process/start}, all optional, read in the open dialect only.
 *
 * @param size of the terminal; for {@code tty} only
 * @param timeoutMs time after the start at which the server ends the process; 0 asks for none, and absent for the server's
 *     default
 * @param idleTimeoutMs time without output after which the server ends the process; 0 is the same as absent
 * @param closeGraceMs time after the exit for which the server waits for the end of the output
 * @param push false keeps output for {@code process/read} and sends no notifications; true when absent
 * @param limits resource limits of the command; empty ones only request {@link ResourceUsage}
 * @param execPolicy rules for the programs that the command executes
 */
public record StartOptions(
        Optional<TerminalSize> size,
        OptionalLong timeoutMs,
        OptionalLong idleTimeoutMs,
        OptionalLong closeGraceMs,
        boolean push,
        Optional<ResourceLimits> limits,
        Optional<ExecPolicyParams> execPolicy) {

    /** Name of the member that must not be ignored where it is unknown. */
    static final String EXEC_POLICY = "execPolicy";

    public static final StartOptions NONE =
            new StartOptions(Optional.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), true);

    /** Makes options without limits. */
    public StartOptions(
            Optional<TerminalSize> size,
            OptionalLong timeoutMs,
            OptionalLong idleTimeoutMs,
            OptionalLong closeGraceMs,
            boolean push) {
        this(size, timeoutMs, idleTimeoutMs, closeGraceMs, push, Optional.empty());
    }

    /** Makes options without rules for programs. */
    public StartOptions(
            Optional<TerminalSize> size,
            OptionalLong timeoutMs,
            OptionalLong idleTimeoutMs,
            OptionalLong closeGraceMs,
            boolean push,
            Optional<ResourceLimits> limits) {
        this(size, timeoutMs, idleTimeoutMs, closeGraceMs, push, limits, Optional.empty());
    }

    /** Returns these options with the current member of {@code in} added, or unchanged if it is none of them. */
    StartOptions read(ParamsReader in) {
        return switch (in.name()) {
            case "size" -> withSize(in.structOrNull("TerminalSize", TerminalSize::read));
            case "timeoutMs" -> withTimeoutMs(in.u64OrNull());
            case "idleTimeoutMs" ->
                new StartOptions(size, timeoutMs, in.u64OrNull(), closeGraceMs, push, limits, execPolicy);
            case "closeGraceMs" ->
                new StartOptions(size, timeoutMs, idleTimeoutMs, in.u64OrNull(), push, limits, execPolicy);
            case "push" -> withPush(in.boolOrNull().orElse(true));
            case "limits" -> withLimits(in.structOrNull("ResourceLimits", ResourceLimits::read));
            case EXEC_POLICY -> withExecPolicy(in.structOrNull("ExecPolicy", ExecPolicyParams::read));
            default -> this;
        };
    }

    private StartOptions withSize(Optional<TerminalSize> newSize) {
        return new StartOptions(newSize, timeoutMs, idleTimeoutMs, closeGraceMs, push, limits, execPolicy);
    }

    private StartOptions withPush(boolean newPush) {
        return new StartOptions(size, timeoutMs, idleTimeoutMs, closeGraceMs, newPush, limits, execPolicy);
    }

    /** Returns the same options with this time limit. */
    public StartOptions withTimeoutMs(OptionalLong newTimeoutMs) {
        return new StartOptions(size, newTimeoutMs, idleTimeoutMs, closeGraceMs, push, limits, execPolicy);
    }

    /** Returns the same options with these limits. */
    public StartOptions withLimits(Optional<ResourceLimits> newLimits) {
        return new StartOptions(size, timeoutMs, idleTimeoutMs, closeGraceMs, push, newLimits, execPolicy);
    }

    /** Returns the same options with these rules for programs. */
    public StartOptions withExecPolicy(Optional<ExecPolicyParams> newPolicy) {
        return new StartOptions(size, timeoutMs, idleTimeoutMs, closeGraceMs, push, limits, newPolicy);
    }

    /** Writes the members that differ from {@link #NONE} into the object of the params. */
    void writeMembers(JsonGenerator g) throws IOException {
        if (size.isPresent()) {
            g.writeFieldName("size");
            size.get().writeTo(g);
        }
        JsonFields.ifPresent(g, "timeoutMs", timeoutMs);
        JsonFields.ifPresent(g, "idleTimeoutMs", idleTimeoutMs);
        JsonFields.ifPresent(g, "closeGraceMs", closeGraceMs);
        if (!push) {
            g.writeBooleanField("push", false);
        }
        if (limits.isPresent()) {
            JsonFields.valueOrNull(g, "limits", limits);
        }
        if (execPolicy.isPresent()) {
            JsonFields.valueOrNull(g, EXEC_POLICY, execPolicy);
        }
    }
}
