package dev.execserver.protocol.app;

import dev.execserver.protocol.rpc.MessageBuffer;

/**
 * Notification that carries output: {@code command/exec/outputDelta} or {@code process/outputDelta}.
 *
 * @param stdout false for stderr
 * @param bytes not copied; must not be modified
 * @param capReached true if output of this stream was dropped; it is then the last one of the stream
 */
@SuppressWarnings("ArrayRecordComponent") // avoids a copy for each chunk
public record CommandOutputDelta(CommandFamily family, String id, boolean stdout, byte[] bytes, boolean capReached) {

    /** Appends the complete message. */
    public void encode(MessageBuffer out, long emittedAtMs) {
        out.ascii("{\"method\":\"" + family.outputDelta() + "\",\"params\":{\"" + family.idMember() + "\":");
        out.string(id);
        out.ascii(stdout ? ",\"stream\":\"stdout\",\"deltaBase64\":\"" : ",\"stream\":\"stderr\",\"deltaBase64\":\"");
        out.base64(bytes, 0, bytes.length);
        out.ascii("\",\"capReached\":");
        out.bool(capReached);
        out.ascii("},\"emittedAtMs\":");
        out.number(emittedAtMs);
        out.write('}');
    }
}
