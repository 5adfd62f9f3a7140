package dev.execserver.server.mcp;

import java.util.List;

/** The versions of MCP that this server speaks. */
public final class ProtocolVersions {
    private static final List<String> KNOWN = List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25");

    private ProtocolVersions() {}

    /** Returns the version that the client asks for, or the newest one if that is unknown here. */
    static String negotiated(String asked) {
        return known(asked) ? asked : KNOWN.getLast();
    }

    public static boolean known(String version) {
        return KNOWN.contains(version);
    }
}
