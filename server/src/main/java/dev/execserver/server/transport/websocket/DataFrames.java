package dev.execserver.server.transport.websocket;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.server.transport.codec.ByteSink;
import dev.execserver.server.transport.codec.FrameWriter;
import dev.execserver.server.transport.codec.Opcode;
import java.io.IOException;
import java.util.List;

/**
 * Turns messages into text frames. A message becomes one frame unless it is longer than {@link #MAX_FRAME_BYTES}. Small
 * messages in a row are joined into one write. Headers go into the head room of the message's own buffer.
 *
 * <p>Threads: the thread that has the writing turn of the connection. No state, no locks.
 */
final class DataFrames {
    /** Longer messages are split: many peers, the reference's client among them, refuse frames above 16 MiB. */
    static final int MAX_FRAME_BYTES = 8 * 1024 * 1024;
    /** Small messages are joined up to this size, so that a batch is one system call and one train of packets. */
    static final int MERGE_BYTES = 64 * 1024;

    private DataFrames() {}

    /** Runs at each place where a control frame may be sent: never inside a frame. */
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

    /** Returns the end of the longest row of messages that may be joined. */
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
        message.forEachPiece(new Cutter(message.length(), sink, gap)::add);
    }

    /** Splits one message into frames while its pieces come. */
    private static final class Cutter {
        private final byte[] header = new byte[FrameWriter.MAX_HEADER_BYTES];
        private final ByteSink sink;
        private final Gap gap;
        private int messageLeft;
        private int frameLeft;
        private boolean begun;

        Cutter(int length, ByteSink sink, Gap gap) {
            this.messageLeft = length;
            this.sink = sink;
            this.gap = gap;
        }

        void add(byte[] bytes, int offset, int length) throws IOException {
            for (int done = 0; done < length || !begun; ) {
                int start = offset + done;
                int from = frameLeft > 0 ? start : beginFrame(bytes, start);
                int count = Math.min(length - done, frameLeft);
                sink.write(bytes, from, start - from + count);
                frameLeft -= count;
                messageLeft -= count;
                done += count;
            }
        }

        /**
         * Writes the header of the next frame, or puts it in front of the first piece. Returns the index to write from.
         */
        private int beginFrame(byte[] bytes, int start) throws IOException {
            frameLeft = Math.min(messageLeft, MAX_FRAME_BYTES);
            boolean last = frameLeft == messageLeft;
            if (!begun) {
                begun = true;
                return FrameWriter.prepend(bytes, start, frameLeft, Opcode.TEXT, last);
            }
            gap.pass();
            int from = FrameWriter.prepend(header, header.length, frameLeft, Opcode.CONTINUATION, last);
            sink.write(header, from, header.length - from);
            return start;
        }
    }
}
