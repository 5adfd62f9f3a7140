package dev.execserver.server;

/** The protocol that a listener speaks. */
enum Front {
    /** The protocol of exec-servers. */
    EXEC_SERVER,
    /** The Model Context Protocol. */
    MCP
}
