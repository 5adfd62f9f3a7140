package dev.execserver.server.config;

/** Values of {@code --ws-auth}. */
enum WebSocketAuthMode {
    CAPABILITY_TOKEN,
    SIGNED_BEARER_TOKEN,
    NAMED_CLIENTS
}
