package dev.execserver.server.rpc;

import dev.execserver.protocol.rpc.JsonWritable;

/**
 * The successful outcome of a request.
 *
 * @param result the JSON to send
 * @param afterwards runs once the answer is queued, so that nothing it starts can be sent before the answer
 */
public record Answer(JsonWritable result, Runnable afterwards) {

    private static final Runnable NOTHING = () -> {};

    public static Answer of(JsonWritable result) {
        return new Answer(result, NOTHING);
    }

    public static Answer empty() {
        return of(JsonWritable.EMPTY_OBJECT);
    }

    public Answer then(Runnable work) {
        return new Answer(result, work);
    }
}
