package dev.execserver.server.transport.grpc;

import io.helidon.common.buffers.BufferData;
import io.helidon.http.http2.FlowControl;
import io.helidon.http.http2.Http2Flag;
import io.helidon.http.http2.Http2FrameData;
import io.helidon.http.http2.Http2FrameHeader;
import io.helidon.http.http2.Http2FrameTypes;
import io.helidon.http.http2.Http2Headers;
import io.helidon.http.http2.Http2StreamWriter;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;

/**
 * Writes to one stream. Helidon (4.5.0) looks at the connection's window and takes from it in two steps, so that two streams could send
 * more than the client allows; here one lock makes that one step. Nobody waits for a window while holding it. One thread, but for
 * {@link #wake}.
 */
final class StreamOutput {
    private static final int PREFIX_BYTES = 5;

    /** Room that a cancelled call gets, so that its thread stops waiting for the client. */
    private static final int WAKING_BYTES = 1 << 20;

    private final Http2StreamWriter writer;
    private final int streamId;
    private final FlowControl.Outbound flow;
    private final Lock windows;
    private final BooleanSupplier over;

    /**
     * Makes an output.
     *
     * @param windows lock of the connection
     * @param over returns true if the client reads no more
     */
    StreamOutput(
            Http2StreamWriter writer, int streamId, FlowControl.Outbound flow, Lock windows, BooleanSupplier over) {
        this.writer = writer;
        this.streamId = streamId;
        this.flow = flow;
        this.windows = windows;
        this.over = over;
    }

    /** Sends the headers of the answer, or its trailers. */
    void headers(Http2Headers headers, boolean last) {
        int flags = Http2Flag.END_OF_HEADERS | (last ? Http2Flag.END_OF_STREAM : 0);
        writer.writeHeaders(headers, streamId, Http2Flag.HeaderFlags.create(flags), flow);
    }

    /** Sends a message, as fast as the client takes it. Stops when the call is over. */
    void message(byte[] message) {
        byte[] framed = new byte[PREFIX_BYTES + message.length];
        for (int i = 1; i < PREFIX_BYTES; i++) {
            framed[i] = (byte) (message.length >>> Byte.SIZE * (PREFIX_BYTES - 1 - i));
        }
        System.arraycopy(message, 0, framed, PREFIX_BYTES, message.length);
        int sent = 0;
        while (sent < framed.length && !over.getAsBoolean()) {
            int count = some(framed, sent);
            if (count == 0) {
                flow.blockTillUpdate();
            }
            sent += count;
        }
    }

    /** Sends as many bytes as both windows allow. Returns their number. */
    private int some(byte[] bytes, int from) {
        windows.lock();
        try {
            int room = Math.min(flow.getRemainingWindowSize(), flow.maxFrameSize());
            int count = Math.min(room, bytes.length - from);
            if (count <= 0) {
                return 0;
            }
            Http2FrameHeader header =
                    Http2FrameHeader.create(count, Http2FrameTypes.DATA, Http2Flag.DataFlags.create(0), streamId);
            writer.writeData(new Http2FrameData(header, BufferData.create(bytes, from, count)), flow);
            return count;
        } finally {
            windows.unlock();
        }
    }

    /** Wakes the thread that waits for room. Any thread. */
    void wake() {
        long _ = flow.incrementStreamWindowSize(WAKING_BYTES);
    }
}
