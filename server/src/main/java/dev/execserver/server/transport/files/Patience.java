package dev.execserver.server.transport.files;

import java.time.Duration;

/** How long a connection may be silent before it is dropped. Any thread. */
public interface Patience {

    /** The transfer has got on: the usual time begins anew. */
    void progress();

    /** Nothing will be heard of the connection for up to that long, because we work. */
    void allow(Duration time);

    /** Nothing more will be sent: the peer gets to know at once, and has that long to go. */
    void farewell(Duration time);
}
