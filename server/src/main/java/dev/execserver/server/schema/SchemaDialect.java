package dev.execserver.server.schema;

import java.util.Locale;

/** Protocols that this server speaks: its own and that of the app-server. */
public enum SchemaDialect {
    EXEC,
    APP;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
