package dev.execserver.protocol.schema;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** JSON Schema of one dialect: the types, the messages of both sides, and a table of the methods. */
final class DialectSchema {

    static final String BASE = "https://exec-server.dev/schema/";

    private static final List<String> SHARED = List.of("RequestId", "Error", "ErrorData", "EmptyResult");

    private final String dialect;
    private final List<Message> messages;
    private final TypeSchemas types;

    DialectSchema(String dialect, ProtocolSources sources, Overrides overrides) {
        this.dialect = dialect;
        this.messages = Message.load().stream()
                .filter(message -> message.dialect().equals(dialect))
                .toList();
        this.types = new TypeSchemas(sources, overrides);
        messages.forEach(message -> {
            boolean ofClient = message.kind().ofClient();
            message.params().ifPresent(ofClient ? types::addRead : types::addWritten);
            message.result().ifPresent(ofClient ? types::addWritten : types::addRead);
        });
        SHARED.forEach(types::addWritten);
    }

    String dialect() {
        return dialect;
    }

    String title() {
        return dialect.equals("app") ? "exec-server, app-server dialect" : "exec-server";
    }

    List<Message> messages() {
        return messages;
    }

    Map<String, ObjectNode> types() {
        return types.all();
    }

    /** Returns the names of the types that are the same in both dialects, so that one declares them and the other imports them. */
    Set<String> sharedWith(DialectSchema other) {
        Set<String> shared = new TreeSet<>(types().keySet());
        shared.removeIf(name -> !types().get(name).equals(other.types().get(name)));
        return shared;
    }

    ObjectNode document() {
        ObjectNode document = Kinds.object()
                .put("$schema", "https://json-schema.org/draft/2020-12/schema")
                .put("$id", BASE + dialect + ".json")
                .put("title", title())
                .put(
                        "description",
                        "Messages of the protocol. An object may have members that it does not describe; they are"
                                + " ignored. `x-additive` marks what this server adds to the protocol.");
        document.putArray("anyOf").add(Kinds.reference("ClientMessage")).add(Kinds.reference("ServerMessage"));
        ObjectNode methods = document.putObject("x-methods");
        messages.forEach(message -> methods.set(key(message), row(message)));
        ObjectNode definitions = document.putObject("$defs");
        definitions.set("ClientMessage", side(true));
        definitions.set("ServerMessage", side(false));
        types().forEach((name, schema) -> definitions.set(name, schema.deepCopy()));
        return document;
    }

    /** A name may be that of a request and of a notification. */
    private static String key(Message message) {
        return message.method();
    }

    private static ObjectNode row(Message message) {
        ObjectNode row = Kinds.object().put("sender", message.kind().ofClient() ? "client" : "server");
        row.put("summary", message.summary());
        message.params().ifPresent(type -> row.set("params", Kinds.reference(type)));
        message.result().ifPresent(type -> row.set("result", Kinds.reference(type)));
        if (message.additive()) {
            row.put("additive", true);
        }
        if (!message.errors().isEmpty()) {
            ArrayNode errors = row.putArray("errors");
            message.errors().forEach(errors::add);
        }
        return row;
    }

    private ObjectNode side(boolean client) {
        ObjectNode side = Kinds.object().put("description", "A message of the " + (client ? "client" : "server") + ".");
        ArrayNode either = side.putArray("anyOf");
        messages.stream()
                .filter(message -> message.kind().ofClient() == client)
                .forEach(message -> either.add(envelope(message)));
        either.add(answer("result", Kinds.object()));
        either.add(answer("error", Kinds.reference("Error")));
        return side;
    }

    static ObjectNode envelope(Message message) {
        ObjectNode envelope = Kinds.type("object");
        ObjectNode properties = envelope.putObject("properties");
        ArrayNode required = envelope.putArray("required");
        if (message.kind().request()) {
            properties.set("id", Kinds.reference("RequestId"));
            required.add("id");
        }
        properties.set("method", Kinds.object().put("const", message.method()));
        required.add("method");
        message.params().ifPresent(type -> {
            properties.set("params", Kinds.reference(type));
            required.add("params");
        });
        return envelope;
    }

    static ObjectNode answer(String member, ObjectNode schema) {
        ObjectNode envelope = Kinds.type("object");
        ObjectNode properties = envelope.putObject("properties");
        properties.set("id", Kinds.reference("RequestId"));
        properties.set(member, schema);
        envelope.putArray("required").add("id").add(member);
        return envelope;
    }
}
