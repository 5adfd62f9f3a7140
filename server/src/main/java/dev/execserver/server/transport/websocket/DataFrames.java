package dev.execserver.server.transport.websocket;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.server.transport.codec.ByteSink;
import dev.execserver.server.transport.codec.FrameWriter;
import dev.execserver.server.transport.codec.Opcode;
import java.io.IOException;
import java.util.List;

/**
 * Turns messages into text frames: one message is one frame, unless it is longer than {@link #MAX_FRAME_BYTES}; small
 * messages in a row are joined into one write. Headers go into the head room of the message's own buffer.
 *
 * <p>Threads: whoever has the writing turn of the connection. No state, no locks.
 */
final class DataFrames {
    /** Longer messages are cut: many peers, the reference's client among them, refuse frames above 16 MiB. */
    static final int MAX_FRAME_BYTES = 8 * 1024 * 1024;
    /** Small messages are joined up to here, so that a batch is one system call and one train of packets. */
    static final int MERGE_BYTES = 64 * 1024;

    private DataFrames() {}

    /** Runs wherever a control frame may stand: never inside a frame. */
    @FunctionalInterface
    interface Gap {
        void pass() throws IOException;
    }

    static void write(List<MessageBuffer> batch, int count, ByteSink sink, Gap gap) throws IOException {
        int next = 0;
        while (next < count) {
            gap.pass();
            int end = fitting(batch, next, count);
            if (end - next > 1) {
                joined(batch, next, end, sink);
                next = end;
            } else {
                single(batch.get(next), sink, gap);
                next++;
            }
        }
    }

    /** The end of the longest row of messages that may be joined. */
    private static int fitting(List<MessageBuffer> batch, int from, int count) {
        int bytes = 0;
        int at = from;
        while (at < count) {
            int length = batch.get(at).length();
            if (length > MERGE_BYTES || (bytes += length + FrameWriter.headerBytes(length)) > MERGE_BYTES) {
                break;
            }
            at++;
        }
        return at;
    }

    private static void joined(List<MessageBuffer> batch, int from, int end, ByteSink sink) throws IOException {
        int total = 0;
        for (int i = from; i < end; i++) {
            int length = batch.get(i).length();
            total += length + FrameWriter.headerBytes(length);
        }
        byte[] all = new byte[total];
        int at = 0;
        for (int i = from; i < end; i++) {
            MessageBuffer message = batch.get(i);
            int length = message.length();
            at += FrameWriter.headerBytes(length);
            System.arraycopy(message.array(), message.offset(), all, at, length);
            FrameWriter.prepend(all, at, length, Opcode.TEXT, true);
            at += length;
        }
        sink.write(all, 0, total);
    }

    private static void single(MessageBuffer message, ByteSink sink, Gap gap) throws IOException {
        int length = message.length();
        int first = Math.min(length, MAX_FRAME_BYTES);
        int start = FrameWriter.prepend(message.array(), message.offset(), first, Opcode.TEXT, first == length);
        sink.write(message.array(), start, message.offset() + first - start);
        byte[] header = first == length ? null : new byte[FrameWriter.MAX_HEADER_BYTES];
        for (int at = first; at < length; at += MAX_FRAME_BYTES) {
            gap.pass();
            int piece = Math.min(length - at, MAX_FRAME_BYTES);
            int from = FrameWriter.prepend(header, header.length, piece, Opcode.CONTINUATION, at + piece == length);
            sink.write(header, from, header.length - from);
            sink.write(message.array(), message.offset() + at, piece);
        }
    }
}
