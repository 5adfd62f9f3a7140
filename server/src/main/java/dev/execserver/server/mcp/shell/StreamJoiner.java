package dev.execserver.server.mcp.shell;

import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.StreamKind;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * Joins the streams of a command in the order of arrival. A character whose bytes come in two chunks is held back until it is
 * complete, so that the other stream does not cut it. One thread.
 */
final class StreamJoiner {
    private static final byte[] NOTHING = {};

    private final Sink sink;
    private final Map<StreamKind, byte[]> waiting = new EnumMap<>(StreamKind.class);

    /** Receiver of the joined bytes. */
    @FunctionalInterface
    interface Sink {
        void accept(byte[] bytes, int offset, int length);
    }

    StreamJoiner(Sink sink) {
        this.sink = sink;
    }

    void add(OutputChunk chunk) {
        byte[] before = waiting.getOrDefault(chunk.stream(), NOTHING);
        if (before.length > 0) {
            byte[] joined = Arrays.copyOf(before, before.length + chunk.length());
            System.arraycopy(chunk.buffer(), chunk.offset(), joined, before.length, chunk.length());
            add(chunk.stream(), joined, 0, joined.length);
        } else {
            add(chunk.stream(), chunk.buffer(), chunk.offset(), chunk.length());
        }
    }

    private void add(StreamKind stream, byte[] bytes, int offset, int length) {
        int complete = Utf8Boundary.completeLength(bytes, offset, length);
        sink.accept(bytes, offset, complete);
        waiting.put(stream, Arrays.copyOfRange(bytes, offset + complete, offset + length));
    }

    /** Hands over what was held back, because nothing more comes. */
    void finish() {
        waiting.values().forEach(rest -> sink.accept(rest, 0, rest.length));
        waiting.clear();
    }
}
