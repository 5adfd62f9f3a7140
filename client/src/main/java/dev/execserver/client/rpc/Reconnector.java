package dev.execserver.client.rpc;

import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.client.error.ExecServerException;
import dev.execserver.client.error.RequestFailedException;
import dev.execserver.client.error.SessionLostException;
import dev.execserver.client.transport.UpgradeRefusedException;
import dev.execserver.protocol.rpc.ErrorCodes;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Resumes the session of a link that has lost its connection: at once, then again and again until the window has passed
 * (docs/protocol.md, "Handshake and sessions"). Runs once, on a thread of its own.
 *
 * <p>A connection that fell silent must not use up the time to live of the session, so the first attempt is short. An
 * attempt that got no answer in its time makes the next one twice as long, for links that are slow.
 */
final class Reconnector {

    /** Limit of the first attempt. A server may take 2 s of it to see that the old connection is dead. */
    private static final Duration FIRST_ATTEMPT = Duration.ofSeconds(4);

    private final Link link;
    private final ConnectionOpener dialer;
    private final LinkOptions.Reconnect policy;
    private final String lossReason;
    private final String sessionId;
    private boolean resumed;
    private String lastFailure = "no attempt was made";
    private Duration attemptLimit = FIRST_ATTEMPT;

    Reconnector(Link link, ConnectionOpener dialer, LinkOptions.Reconnect policy, String lossReason) {
        this.link = link;
        this.dialer = dialer;
        this.policy = policy;
        this.lossReason = lossReason;
        this.sessionId = link.greeting().sessionId().orElseThrow();
    }

    void run() {
        try {
            attempts();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            lastFailure = "interrupted";
        } finally {
            String why = "%s; not connected again within %s: %s".formatted(lossReason, window(), lastFailure);
            if (!resumed) {
                link.end(() -> new ConnectionLostException(why)); // no effect if the link has ended for another reason
            }
        }
    }

    private String window() {
        long millis = policy.window().toMillis();
        return millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
    }

    private void attempts() throws InterruptedException {
        long deadline = System.nanoTime() + policy.window().toNanos();
        for (long left = policy.window().toNanos(); left > 0 && !link.ended(); left = deadline - System.nanoTime()) {
            long limit = Math.min(left, attemptLimit.toNanos());
            long began = System.nanoTime();
            if (attempt(Duration.ofNanos(limit))) {
                return;
            }
            if (System.nanoTime() - began >= limit) {
                attemptLimit = attemptLimit.multipliedBy(2);
            }
            Thread.sleep(policy.delay());
        }
    }

    /** Returns true if no further attempt is needed, after success or final failure. */
    private boolean attempt(Duration limit) throws InterruptedException {
        try {
            ConnectionOpener.OpenConnection dialled = dialer.dial(Optional.of(sessionId), false, limit, link.owner());
            return resume(dialled);
        } catch (UpgradeRefusedException e) {
            return e.permanent() && lost(e);
        } catch (RequestFailedException e) {
            // "unknown session id" has no code of its own, but this request can fail with that code for no other
            // reason.
            return e.code() == ErrorCodes.INVALID_REQUEST ? gone(e) : failed(e);
        } catch (IOException | ExecServerException e) {
            return failed(e);
        }
    }

    private boolean resume(ConnectionOpener.OpenConnection dialled) {
        if (!dialled.greeting().sessionId().equals(Optional.of(sessionId))) {
            dialled.connection().end("not the session that was asked for");
            link.end(() -> new SessionLostException("the server did not resume session " + sessionId));
            return true;
        }
        if (link.adopt(dialled)) {
            resumed = true;
            link.listener().resumed();
            return true;
        }
        dialled.connection().end("not needed any more");
        return link.ended();
    }

    private boolean gone(RequestFailedException e) {
        String why =
                "session %s is gone, and its processes with it: the server answers again, but does not know it any more"
                        .formatted(sessionId);
        link.end(() -> new SessionLostException(why + " (" + e.serverMessage() + ")", e));
        return true;
    }

    private boolean lost(Exception e) {
        link.end(() -> new SessionLostException("session " + sessionId + " is lost: " + e.getMessage(), e));
        return true;
    }

    private boolean failed(Exception e) {
        lastFailure = String.valueOf(e.getMessage());
        return false;
    }
}
