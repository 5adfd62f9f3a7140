package dev.execserver.server.schema;

/** Forms of the description. */
public enum SchemaFormat {
    OPENRPC,
    JSONSCHEMA,
    ASYNCAPI,
    TYPESCRIPT;

    /** Returns the name of the generated file. The declarations for TypeScript are those of the client. */
    String file(SchemaDialect dialect) {
        return switch (this) {
            case OPENRPC -> dialect.word() + ".openrpc.json";
            case JSONSCHEMA -> dialect.word() + ".json";
            case ASYNCAPI -> dialect.word() + ".asyncapi.json";
            case TYPESCRIPT -> dialect == SchemaDialect.EXEC ? "types.ts" : dialect.word() + "-types.ts";
        };
    }
}
