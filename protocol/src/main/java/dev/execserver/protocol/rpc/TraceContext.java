package dev.execserver.protocol.rpc;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Position of a request in a distributed trace (W3C Trace Context, section 3.2).
 *
 * @param traceId 32 hexadecimal digits
 * @param spanId of the caller, 16 hexadecimal digits
 */
public record TraceContext(String traceId, String spanId) {
    private static final Pattern TRACE_PARENT =
            Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?");

    /** Reads a {@code traceparent}. Returns empty if it is not valid: then the standard lets it be ignored. */
    public static Optional<TraceContext> parse(String traceParent) {
        Matcher parts = TRACE_PARENT.matcher(traceParent);
        boolean valid = parts.matches() && !(traceParent.startsWith("00") && traceParent.length() > 55);
        return valid ? Optional.of(new TraceContext(parts.group(1), parts.group(2))) : Optional.empty();
    }
}
