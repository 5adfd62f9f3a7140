package dev.execserver.protocol.permissions;

/** Whether a command may use the network. */
public enum NetworkPolicy {
    RESTRICTED("restricted"),
    ENABLED("enabled");

    private final String wire;

    NetworkPolicy(String wire) {
        this.wire = wire;
    }

    public String wire() {
        return wire;
    }

    public boolean enabled() {
        return this == ENABLED;
    }

    public static NetworkPolicy of(boolean enabled) {
        return enabled ? ENABLED : RESTRICTED;
    }
}
