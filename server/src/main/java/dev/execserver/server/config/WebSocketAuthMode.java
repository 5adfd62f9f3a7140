package dev.execserver.server.config;

/** The values of {@code --ws-auth}. */
enum WebSocketAuthMode {
    CAPABILITY_TOKEN,
    SIGNED_BEARER_TOKEN
}
