package dev.execserver.server.proxy.rules;

/**
 * The reason of a refused connection, in the terms of the protocol.
 *
 * @param scope {@code domain}, or {@code non_domain} if the host is not the reason
 * @param decision {@code deny} or {@code ask}
 * @param source the part that has decided
 */
public record Refusal(String scope, String decision, String source, String reason) {

    static final String BASELINE = "baseline_policy";
    static final String DECIDER = "decider";

    static final String DENIED = "denied";
    static final String NOT_ALLOWED = "not_allowed";
    static final String NOT_ALLOWED_LOCAL = "not_allowed_local";
    private static final String METHOD_NOT_ALLOWED = "method_not_allowed";
    private static final String MITM_REQUIRED = "mitm_required";

    static Refusal byLists(String reason) {
        return new Refusal("domain", "deny", BASELINE, reason);
    }

    static Refusal byClient(String decision, String reason) {
        return new Refusal("domain", decision, DECIDER, reason);
    }

    static Refusal ofMethod() {
        return new Refusal("non_domain", "deny", "mode_guard", METHOD_NOT_ALLOWED);
    }

    /** Refuses a tunnel in limited mode, because its content cannot be seen. */
    static Refusal ofTunnel() {
        return new Refusal("non_domain", "deny", "mode_guard", MITM_REQUIRED);
    }

    public static Refusal ofUnixSocket() {
        return new Refusal("non_domain", "deny", "proxy_state", "unix_socket_unsupported");
    }

    /** Returns the value of the header {@code x-proxy-error}. */
    public String header() {
        return switch (reason) {
            case DENIED -> "blocked-by-denylist";
            case NOT_ALLOWED, NOT_ALLOWED_LOCAL -> "blocked-by-allowlist";
            case METHOD_NOT_ALLOWED -> "blocked-by-method-policy";
            case MITM_REQUIRED -> "blocked-by-mitm-required";
            default -> "blocked-by-policy";
        };
    }

    /** Returns a text for people. */
    public String message() {
        return switch (reason) {
            case DENIED -> "Domain denied by the sandbox policy.";
            case NOT_ALLOWED -> "Domain not in allowlist.";
            case NOT_ALLOWED_LOCAL -> "Sandbox policy blocks local/private network addresses.";
            case METHOD_NOT_ALLOWED -> "Method not allowed in limited mode.";
            case MITM_REQUIRED -> "MITM required for limited HTTPS.";
            default -> "Request blocked by network policy.";
        };
    }
}
