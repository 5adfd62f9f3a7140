package dev.execserver.it.support;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The response or error to one request.
 *
 * @param arrival position among all messages of the connection
 * @param nanos {@link System#nanoTime} at arrival
 */
public record Answer(JsonNode message, long arrival, long nanos) {
    public boolean failed() {
        return message.has("error");
    }

    public JsonNode result() {
        if (failed() || !message.has("result")) {
            throw new AssertionError("expected a result, got " + message);
        }
        return message.get("result");
    }

    public JsonNode error() {
        if (!failed()) {
            throw new AssertionError("expected an error, got " + message);
        }
        return message.get("error");
    }

    public int errorCode() {
        return error().get("code").intValue();
    }

    public String errorMessage() {
        return error().get("message").textValue();
    }
}
