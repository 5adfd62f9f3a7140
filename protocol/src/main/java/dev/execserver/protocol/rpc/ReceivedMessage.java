package dev.execserver.protocol.rpc;

/**
 * A complete received message. A small one is one array. {@link MessageIntake} has removed the long strings of a large
 * one, so that no copy is needed to join its fragments, and its content is in memory only once. Immutable, provided
 * that its array is not modified.
 */
public final class ReceivedMessage {

    private final byte[] text;
    private final LongStrings longStrings;

    ReceivedMessage(byte[] text, LongStrings longStrings) {
        this.text = text;
        this.longStrings = longStrings;
    }

    /** Receiver of bytes. */
    @FunctionalInterface
    public interface TextSink {
        void accept(byte[] bytes, int offset, int length);
    }

    /** Makes a message of one array, which is not copied. */
    public static ReceivedMessage of(byte[] text) {
        return new ReceivedMessage(text, LongStrings.NONE);
    }

    /** Returns the number of received bytes. */
    public int size() {
        return text.length + longStrings.missing(0, text.length);
    }

    /** Returns the received bytes. Without long strings it is the array of the message itself, not a copy. */
    public byte[] bytes() {
        if (!longStrings.anyBetween(0, text.length)) {
            return text;
        }
        MessageBuffer out = new MessageBuffer(size());
        longStrings.writeTo(out, text, 0, text.length);
        return out.toByteArray();
    }

    /**
     * Hands over all bytes that may not be ASCII, in an order that is valid UTF-8 if and only if the message is: the
     * long strings with their closing quotes, then the rest.
     */
    public void forEachText(TextSink sink) {
        longStrings.forEachText(sink);
        sink.accept(text, 0, text.length);
    }

    byte[] text() {
        return text;
    }

    LongStrings longStrings() {
        return longStrings;
    }
}
