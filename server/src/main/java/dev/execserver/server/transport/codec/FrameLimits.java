package dev.execserver.server.transport.codec;

import dev.execserver.server.transport.Transport;

/**
 * Size limits for data from a peer.
 *
 * @param frameBytes payload of one frame
 * @param messageBytes payload of all frames of one message
 */
public record FrameLimits(int frameBytes, int messageBytes) {
    /** Limit of a control frame's payload (RFC 6455 section 5.5). */
    static final int CONTROL_BYTES = 125;

    public static final FrameLimits DEFAULT = new FrameLimits(16 * 1024 * 1024, Transport.MAX_MESSAGE_BYTES);

    public FrameLimits {
        if (frameBytes < CONTROL_BYTES || messageBytes < frameBytes) {
            throw new IllegalArgumentException("limits too small: " + frameBytes + ", " + messageBytes);
        }
    }
}
