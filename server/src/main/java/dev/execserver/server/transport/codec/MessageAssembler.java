package dev.execserver.server.transport.codec;

import dev.execserver.server.memory.MemoryBudget;
import dev.execserver.server.transport.CloseReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Turns the bytes of a client into messages and control frames. It handles fragmentation (RFC 6455 section 5.4),
 * control frames in between (5.5), UTF-8 over the whole message (8.1) and limits. Invalid text is refused before the
 * rest of it has arrived. Not thread safe: only the connection's reader thread enters.
 */
public final class MessageAssembler {
    private static final PayloadBuffer.Check NO_CHECK = (data, offset, length) -> {};

    private final FrameReader frames;
    private final FrameLimits limits;
    private final PayloadBuffer payload;
    private final Utf8Validator utf8 = new Utf8Validator();
    private boolean inMessage;
    private boolean text;

    public MessageAssembler(ByteSource source, FrameLimits limits, MemoryBudget memory) {
        this.frames = new FrameReader(source);
        this.payload = new PayloadBuffer(memory);
        this.limits = limits;
    }

    /**
     * Waits for the next message or control frame.
     *
     * @throws WebSocketException when the peer broke a rule; afterwards only {@link #skipToClose} is useful
     * @throws java.io.EOFException when the peer is gone
     */
    public Inbound next() throws IOException {
        while (true) {
            FrameHeader header = frames.next();
            header.check(limits);
            if (header.control()) {
                return control(header);
            }
            begin(header);
            payload.read(frames, header, text ? this::checkText : NO_CHECK);
            if (header.fin()) {
                return finish();
            }
        }
    }

    /** Discards all input until the peer's close frame was read or the stream ended. */
    public void skipToClose() throws IOException {
        FrameHeader header;
        do {
            frames.skip();
            header = frames.next();
        } while (header.opcode() != Opcode.CLOSE);
        frames.skip();
    }

    /** Releases the memory of an unfinished message. Call it when nothing more is read. */
    public void discard() {
        payload.clear();
    }

    private void begin(FrameHeader header) throws WebSocketException {
        boolean continuation = header.opcode() == Opcode.CONTINUATION;
        if (continuation != inMessage) {
            throw WebSocketException.protocol(
                    inMessage ? "new message inside a fragmented one" : "continuation of no message");
        }
        if (!continuation) {
            inMessage = true;
            text = header.opcode() == Opcode.TEXT;
            utf8.reset();
        }
        if (payload.total() + header.length() > limits.messageBytes()) {
            throw WebSocketException.tooBig("message is above the limit of " + limits.messageBytes() + " bytes");
        }
    }

    private Inbound finish() throws WebSocketException {
        if (text && !utf8.complete()) {
            throw new WebSocketException(CloseReason.INVALID_UTF8);
        }
        inMessage = false;
        return new Inbound.Message(payload.take());
    }

    private void checkText(byte[] data, int offset, int length) throws WebSocketException {
        if (!utf8.accept(data, offset, length)) {
            throw new WebSocketException(CloseReason.INVALID_UTF8);
        }
    }

    private Inbound control(FrameHeader header) throws IOException {
        byte[] data = new byte[(int) header.length()];
        for (int used = 0; used < data.length; ) {
            used += frames.payload(data, used, data.length - used);
        }
        Masking.apply(data, 0, data.length, header.mask(), 0);
        return switch (header.opcode()) {
            case Opcode.PING -> new Inbound.Ping(data);
            case Opcode.PONG -> new Inbound.Pong();
            default -> new Inbound.Close(closeReason(data));
        };
    }

    private static Optional<CloseReason> closeReason(byte[] data) throws WebSocketException {
        if (data.length == 0) {
            return Optional.empty();
        }
        if (data.length == 1) {
            throw WebSocketException.protocol("close frame with half a code");
        }
        int code = (data[0] & 0xFF) << 8 | data[1] & 0xFF;
        if (!allowedCode(code)) {
            throw WebSocketException.protocol("close code " + code + " must not be sent");
        }
        Utf8Validator whole = new Utf8Validator();
        if (!whole.accept(data, 2, data.length - 2) || !whole.complete()) {
            throw new WebSocketException(CloseReason.INVALID_UTF8);
        }
        return Optional.of(new CloseReason(code, new String(data, 2, data.length - 2, StandardCharsets.UTF_8)));
    }

    /**
     * Returns true if a close frame may carry the code. RFC 6455 section 7.4: 1004 to 1006 and 1015 never travel; 1012
     * to 1014 were registered later.
     */
    private static boolean allowedCode(int code) {
        return code >= 3000 && code <= 4999 || code >= 1000 && code <= 1014 && (code < 1004 || code > 1006);
    }
}
