package dev.execserver.client.transport;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Reads the frames of a server and joins them to messages (RFC 6455 section 5). One thread. */
final class FrameReader {

    /** Receives frames that are not messages. */
    interface Controls {
        /** Called on the reading thread, so it must not wait. */
        void ping(byte[] payload);

        /** @param reason code and text that the server sent */
        void closed(String reason);
    }

    /** Limit of a frame in the protocol; larger frames are refused. */
    static final int MAX_FRAME_BYTES = 16 << 20;

    private static final int MAX_CONTROL_BYTES = 125;

    private final InputStream in;
    private final Controls controls;

    private byte[] message;
    private int length;
    private boolean fin;
    private int opcode;

    FrameReader(InputStream in, Controls controls) {
        this.in = in;
        this.controls = controls;
    }

    /** Returns the next message, or null after a close frame. */
    byte[] next() throws IOException {
        message = null;
        while (true) {
            long bytes = header();
            if (opcode >= FrameWriter.CLOSE) {
                if (control(exactly((int) bytes))) {
                    return null;
                }
            } else {
                data((int) bytes);
                if (fin) {
                    return message.length == length ? message : Arrays.copyOf(message, length);
                }
            }
        }
    }

    private long header() throws IOException {
        int first = octet();
        int second = octet();
        fin = (first & 0x80) != 0;
        opcode = first & 0x0F;
        if ((first & 0x70) != 0 || (second & 0x80) != 0) {
            throw new IOException("websocket frame with reserved bits or a mask");
        }
        long bytes = second & 0x7F;
        if (bytes >= 126) {
            int octets = bytes == 126 ? 2 : 8;
            bytes = 0;
            for (int i = 0; i < octets; i++) {
                bytes = bytes << 8 | octet();
            }
        }
        boolean control = opcode >= FrameWriter.CLOSE;
        if (bytes < 0 || bytes > (control ? MAX_CONTROL_BYTES : MAX_FRAME_BYTES) || (control && !fin)) {
            throw new IOException("websocket frame of " + bytes + " bytes is not allowed");
        }
        return bytes;
    }

    private void data(int bytes) throws IOException {
        boolean continued = opcode == FrameWriter.CONTINUATION;
        if (opcode > FrameWriter.BINARY || continued != (message != null)) {
            throw new IOException("websocket frame with unexpected opcode " + opcode);
        }
        if (!continued) {
            message = exactly(bytes);
            length = bytes;
            return;
        }
        if (length + bytes > ClientTransport.MAX_MESSAGE_BYTES) {
            throw new IOException("message above " + ClientTransport.MAX_MESSAGE_BYTES + " bytes");
        }
        if (length + bytes > message.length) {
            // Double the room, so that a message in many small fragments costs at most twice its size.
            int room = Math.min(ClientTransport.MAX_MESSAGE_BYTES, message.length * 2);
            message = Arrays.copyOf(message, fin ? length + bytes : Math.max(length + bytes, room));
        }
        readFully(message, length, bytes);
        length += bytes;
    }

    private boolean control(byte[] payload) {
        switch (opcode) {
            case FrameWriter.PING -> controls.ping(payload);
            case FrameWriter.CLOSE -> {
                controls.closed(CloseText.of(payload));
                return true;
            }
            default -> {} // a pong needs no answer, and its payload has no meaning
        }
        return false;
    }

    private byte[] exactly(int bytes) throws IOException {
        byte[] array = new byte[bytes];
        readFully(array, 0, bytes);
        return array;
    }

    private void readFully(byte[] array, int offset, int bytes) throws IOException {
        if (in.readNBytes(array, offset, bytes) < bytes) {
            throw new EOFException("connection ended inside of a frame");
        }
    }

    private int octet() throws IOException {
        int octet = in.read();
        if (octet < 0) {
            throw new EOFException("connection ended without a close frame");
        }
        return octet;
    }
}
