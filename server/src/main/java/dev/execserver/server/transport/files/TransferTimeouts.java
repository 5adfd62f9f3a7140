package dev.execserver.server.transport.files;

import io.helidon.http.Status;
import java.time.Duration;

/** Timeouts of a connection while a transfer runs on it; also reports refusals to its listener. Any thread. */
public interface TransferTimeouts {

    /** Restarts the usual timeout, because the transfer has made progress. */
    void progress();

    /** Lets the connection be silent for this time, because the server works. */
    void allow(Duration time);

    /** Reports that the peer's request was refused. */
    void refused(Status status, String why);

    /** Reports that the peer's request will be refused after a wait. */
    void refusedSoon(Duration wait);

    /** Tells the peer that nothing more will be sent, and drops the connection after this time. */
    void farewell(Duration time);
}
