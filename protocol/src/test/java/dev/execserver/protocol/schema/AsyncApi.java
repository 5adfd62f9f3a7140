package dev.execserver.protocol.schema;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** AsyncAPI document of the messages in both directions. Its actions are those of the server. */
final class AsyncApi {

    private static final String CHANNEL = "#/channels/connection";

    private AsyncApi() {}

    static ObjectNode document(DialectSchema dialect) {
        ObjectNode document = Kinds.object().put("asyncapi", "3.0.0");
        document.set("info", OpenRpc.info(dialect));
        document.put("defaultContentType", "application/json");
        ObjectNode channel = document.putObject("channels").putObject("connection");
        channel.put("address", "/");
        channel.put("description", "A WebSocket connection, or standard input and output with one message a line.");
        ObjectNode messages = channel.putObject("messages");
        ObjectNode operations = document.putObject("operations");
        OpenRpc.components(document, dialect);
        ObjectNode components = (ObjectNode) document.get("components");
        components.remove("errors");
        ObjectNode definitions = components.putObject("messages");
        for (Message message : dialect.messages()) {
            String name = name(message);
            messages.putObject(name).put("$ref", "#/components/messages/" + name);
            definitions.set(name, message(message));
            ObjectNode operation = operations
                    .putObject(name)
                    .put("action", message.kind().ofClient() ? "receive" : "send")
                    .put("summary", message.summary());
            operation.putObject("channel").put("$ref", CHANNEL);
            operation.putArray("messages").addObject().put("$ref", CHANNEL + "/messages/" + name);
            message.result().ifPresent(type -> {
                String answer = name + ".answer";
                messages.putObject(answer).put("$ref", "#/components/messages/" + answer);
                definitions.set(answer, answer(message, type));
                ObjectNode reply = operation.putObject("reply");
                reply.putObject("channel").put("$ref", CHANNEL);
                reply.putArray("messages").addObject().put("$ref", CHANNEL + "/messages/" + answer);
            });
        }
        return document;
    }

    private static String name(Message message) {
        return message.method().replace('/', '.');
    }

    private static ObjectNode message(Message message) {
        ObjectNode definition = Kinds.object().put("name", message.method()).put("summary", message.summary());
        if (message.additive()) {
            definition.put("x-additive", true);
        }
        definition.set("payload", OpenRpc.moved(DialectSchema.envelope(message), OpenRpc.TYPES));
        return definition;
    }

    private static ObjectNode answer(Message message, String type) {
        ObjectNode definition = Kinds.object().put("summary", "Answer to `" + message.method() + "`");
        ObjectNode either = definition.putObject("payload");
        either.putArray("oneOf")
                .add(DialectSchema.answer("result", Kinds.reference(type)))
                .add(DialectSchema.answer("error", Kinds.reference("Error")));
        OpenRpc.moved(either, OpenRpc.TYPES);
        return definition;
    }
}
