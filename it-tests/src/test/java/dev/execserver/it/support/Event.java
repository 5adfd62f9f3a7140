package dev.execserver.it.support;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One notification about a process.
 *
 * @param kind {@code output}, {@code exited} or {@code closed}
 * @param data decoded bytes of an output; empty for others, and if the client only counts
 * @param size number of output bytes
 * @param arrival position among all messages of the connection
 * @param nanos {@link System#nanoTime} at arrival
 */
public record Event(String kind, long seq, JsonNode params, byte[] data, int size, long arrival, long nanos) {
    public int exitCode() {
        return params.path("exitCode").asInt(Integer.MIN_VALUE);
    }

    public String stream() {
        return params.path("stream").asText();
    }
}
