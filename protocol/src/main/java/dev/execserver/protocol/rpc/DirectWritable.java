package dev.execserver.protocol.rpc;

/**
 * A {@link JsonWritable} on the hot path, which can also write itself without a generator. Both ways produce the same
 * bytes; {@link MessageEncoder} takes the direct one.
 */
public interface DirectWritable extends JsonWritable {

    /** Appends exactly one JSON value. */
    void writeDirect(MessageBuffer out);
}
