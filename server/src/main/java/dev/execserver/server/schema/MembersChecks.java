package dev.execserver.server.schema;

import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.config.StrictMembers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks of the params of all methods of one protocol, made from its schema. Immutable. */
public final class MembersChecks {

    /** No checks: unknown members are ignored. */
    public static final MembersChecks NONE = new MembersChecks(StrictMembers.OFF, Map.of(), Map.of());

    private final StrictMembers mode;
    private final Map<String, MemberShape> methods;
    private final Map<String, MemberShape> types;

    private MembersChecks(StrictMembers mode, Map<String, MemberShape> methods, Map<String, MemberShape> types) {
        this.mode = mode;
        this.methods = methods;
        this.types = types;
    }

    /** Makes the checks; the schema is read only if there are any. In the strict dialect additions are unknown members. */
    public static MembersChecks of(StrictMembers mode, SchemaDialect schema, Dialect dialect) {
        if (mode == StrictMembers.OFF) {
            return NONE;
        }
        byte[] document = SchemaDocuments.read(schema, SchemaFormat.JSONSCHEMA);
        Map<String, JsonSlice> parts =
                JsonSlice.of(document, 0, document.length).members();
        Map<String, MemberShape> types = new HashMap<>();
        parts.get("$defs").members().forEach((name, type) -> types.put(name, MemberShape.read(type, dialect.open())));
        Map<String, MemberShape> methods = new HashMap<>();
        parts.get("x-methods").members().forEach((name, row) -> methods.put(name, params(row, dialect)));
        return new MembersChecks(mode, methods, types);
    }

    private static MemberShape params(JsonSlice row, Dialect dialect) {
        return Optional.ofNullable(row.members().get("params"))
                .map(schema -> MemberShape.read(schema, dialect.open()))
                .orElse(MemberShape.EMPTY);
    }

    /** Returns the check of this method. */
    public MembersCheck of(String method) {
        MemberShape shape = methods.get(method);
        return shape == null ? MembersCheck.NONE : params -> check(shape, params);
    }

    private List<String> check(MemberShape shape, JsonSlice params) {
        List<String> unknown = new UnknownMembers(types).of(shape, params);
        if (mode == StrictMembers.REFUSE && !unknown.isEmpty()) {
            throw RpcException.invalidParams(String.join(". ", unknown)).withData("reason", "unknownMembers");
        }
        return unknown;
    }
}
