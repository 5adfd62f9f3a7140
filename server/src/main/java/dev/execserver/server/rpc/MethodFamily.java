package dev.execserver.server.rpc;

/** Groups of methods, with the names that the handshake's errors use for them. */
public enum MethodFamily {
    HANDSHAKE("handshake"),
    PROCESS("exec"),
    COMMAND("command"),
    FILE_SYSTEM("filesystem"),
    HTTP("http"),
    ENVIRONMENT_INFO("environment info"),
    ENVIRONMENT_STATUS("environment status"),
    ENVIRONMENT_CONFIG("environment config"),

    /** Methods that are not known. */
    ANY("any");

    private final String words;

    MethodFamily(String words) {
        this.words = words;
    }

    @Override
    public String toString() {
        return words;
    }
}
