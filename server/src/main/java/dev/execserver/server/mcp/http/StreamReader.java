package dev.execserver.server.mcp.http;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.server.transport.mcp.EventSource;
import java.time.Duration;
import java.util.Optional;

/** Reader of one stream, from a cursor on. The thread of an HTTP connection uses it. */
final class StreamReader implements EventSource {
    private final HttpSession session;
    private final EventStream stream;
    private final int reader;
    private long cursor;

    /** @param cursor number of the last message that the client has */
    StreamReader(HttpSession session, EventStream stream, long cursor) {
        this.session = session;
        this.stream = stream;
        this.cursor = cursor;
        this.reader = stream.attach();
        session.readerBegan();
    }

    @Override
    public Optional<Event> next(Duration limit) throws InterruptedException {
        Optional<Event> next = stream.after(cursor, reader, limit.toNanos());
        next.ifPresent(event ->
                cursor = Long.parseLong(event.id().substring(event.id().indexOf('-') + 1)));
        return next;
    }

    @Override
    public boolean over() {
        return stream.over(cursor, reader);
    }

    @Override
    public Optional<MessageBuffer> single() {
        return stream.single();
    }

    @Override
    public void close() {
        stream.detach(reader);
        session.readerEnded();
    }
}
