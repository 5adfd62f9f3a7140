package dev.execserver.server.transport.files;

import io.helidon.http.Status;
import java.time.Duration;

/** The connection of a transfer as its listener sees it: how long it may be silent, and that it was refused. Any thread. */
public interface Patience {

    /** The transfer has got on: the usual time begins anew. */
    void progress();

    /** Nothing will be heard of the connection for up to that long, because we work. */
    void allow(Duration time);

    /** The peer may not do what it asks for. */
    void refused(Status status, String why);

    /** Nothing more will be sent: the peer gets to know at once, and has that long to go. */
    void farewell(Duration time);
}
