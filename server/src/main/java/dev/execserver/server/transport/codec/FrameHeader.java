package dev.execserver.server.transport.codec;

/**
 * Header of a frame as it was received (RFC 6455 section 5.2).
 *
 * @param fin last frame of its message
 * @param reserved RSV1 to RSV3 as a number 0 to 7
 * @param mask key with the first byte lowest; 0 if not masked
 * @param length payload bytes; negative if the peer set the topmost bit, which it must not
 * @param shortest true if the length was given in the shortest of its three forms
 */
record FrameHeader(boolean fin, int reserved, int opcode, boolean masked, int mask, long length, boolean shortest) {

    boolean control() {
        return Opcode.control(opcode);
    }

    /** Throws if a server must not accept the frame. */
    void check(FrameLimits limits) throws WebSocketException {
        if (reserved != 0) {
            throw WebSocketException.protocol("reserved bits are set and no extension was agreed");
        }
        if (!Opcode.known(opcode)) {
            throw WebSocketException.protocol("reserved opcode 0x" + Integer.toHexString(opcode));
        }
        if (!masked) {
            throw WebSocketException.protocol("frame of a client is not masked");
        }
        if (length < 0) {
            throw WebSocketException.protocol("topmost bit of a 64-bit length is set");
        }
        if (!shortest) {
            throw WebSocketException.protocol("length is not in its shortest form");
        }
        if (control()) {
            checkControl();
        } else if (length > limits.frameBytes()) {
            throw WebSocketException.tooBig(
                    "frame of " + length + " bytes is above the limit of " + limits.frameBytes() + " bytes");
        }
    }

    private void checkControl() throws WebSocketException {
        if (!fin) {
            throw WebSocketException.protocol("control frame is fragmented");
        }
        if (length > FrameLimits.CONTROL_BYTES) {
            throw WebSocketException.protocol("control frame is longer than 125 bytes");
        }
    }
}
