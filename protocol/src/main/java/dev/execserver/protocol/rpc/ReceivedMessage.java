package dev.execserver.protocol.rpc;

/**
 * A message as it was received, whole. Small ones are one array; of large ones {@link MessageIntake} has taken out the
 * long strings, so that neither is a message copied to join its fragments, nor is its content held twice. Immutable,
 * provided nobody writes to the array that it was made of.
 */
public final class ReceivedMessage {

    private final byte[] text;
    private final LongStrings longStrings;

    ReceivedMessage(byte[] text, LongStrings longStrings) {
        this.text = text;
        this.longStrings = longStrings;
    }

    /** Takes bytes. */
    @FunctionalInterface
    public interface TextSink {
        void accept(byte[] bytes, int offset, int length);
    }

    /** A message that is one array, which is not copied. */
    public static ReceivedMessage of(byte[] text) {
        return new ReceivedMessage(text, LongStrings.NONE);
    }

    /** Bytes that were received for it. */
    public int size() {
        return text.length + longStrings.missing(0, text.length);
    }

    /** What was received, byte for byte; the array of the message itself where that is whole. */
    public byte[] bytes() {
        if (!longStrings.anyBetween(0, text.length)) {
            return text;
        }
        MessageBuffer out = new MessageBuffer(size());
        longStrings.writeTo(out, text, 0, text.length);
        return out.toByteArray();
    }

    /**
     * Hands over all bytes that may be something else than ASCII, in an order that is UTF-8 exactly when the message is:
     * the long strings with their closing quotes, then the rest.
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
