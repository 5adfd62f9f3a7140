package dev.execserver.server.session;

import dev.execserver.server.outbound.Outbound;
import java.time.Duration;

/** A connection as its session sees it. */
public interface Attachment {

    /** Where events go. */
    Outbound outbound();

    /** Asks the peer for a sign of life and waits for one; false when none came within the limit. */
    boolean provesAlive(Duration limit);

    /** The session was given to another connection: this one is closed with the reason and its waiting reads end. */
    void displaced();
}
