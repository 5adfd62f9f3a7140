package dev.execserver.client.transport;

import java.io.IOException;
import java.time.Duration;

/** Opens connections to one server. */
public interface Connector {

    /**
     * Makes one attempt.
     *
     * @param limit for everything up to the first message, but the supplier of the token, which is asked before
     * @throws UpgradeRefusedException when the server speaks HTTP but refuses
     * @throws IOException when it cannot be reached
     */
    ClientTransport open(Duration limit) throws IOException;

    /** Returns true if a second connection would reach the same server. */
    boolean reconnectable();
}
