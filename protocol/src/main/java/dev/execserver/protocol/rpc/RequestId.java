package dev.execserver.protocol.rpc;

import java.util.Objects;

/** Id of a request: a string (including the empty one) or a signed 64-bit integer, echoed with its type. */
public sealed interface RequestId {

    /** Id of the error that answers a message whose own id could not be read. */
    RequestId MALFORMED = new Number(-1);

    /** The same in the app-server dialect: written as null. No request has this id. */
    RequestId UNKNOWN = new Unknown();

    /** A string id. */
    record Text(String value) implements RequestId {
        public Text {
            Objects.requireNonNull(value, "value");
        }
    }

    /** An integer id. */
    @SuppressWarnings("AvoidCommonTypeNames") // always named through RequestId
    record Number(long value) implements RequestId {}

    /** The id of a message that has none that can be read. */
    record Unknown() implements RequestId {}

    static RequestId of(String value) {
        return new Text(value);
    }

    static RequestId of(long value) {
        return new Number(value);
    }
}
