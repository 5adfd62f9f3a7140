package dev.execserver.cli.client;

import dev.execserver.client.session.ProcessObserver;
import java.time.Duration;

/** Observer of a process, as the commands need it. Errors are those of the client module. */
@FunctionalInterface
interface RemoteSight {
    /** Waits up to the limit for something new; the first call does not wait. */
    ProcessObserver.Sight next(Duration limit) throws InterruptedException;
}
