package dev.execserver.client.rpc;

import dev.execserver.client.error.ConnectFailedException;
import dev.execserver.client.error.ExecServerException;
import dev.execserver.client.error.RequestFailedException;
import dev.execserver.client.transport.CertificateTrust;
import dev.execserver.client.transport.Connector;
import dev.execserver.client.transport.UpgradeRefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalInt;

/** Opens links. */
public final class Links {

    /**
     * Time for which a busy session is retried. If its old connection is dead, the server notices after about 2 s and
     * frees the session.
     */
    private static final Duration BUSY_WINDOW = Duration.ofSeconds(4);

    private Links() {}

    /**
     * Connects and does the handshake.
     *
     * @throws ConnectFailedException when that fails
     */
    public static Link open(Connector connector, LinkOptions options, LinkListener listener)
            throws InterruptedException {
        ConnectionOpener dialer = new ConnectionOpener(connector, options);
        Link link = new Link(dialer, options, listener);
        long giveUp = System.nanoTime() + BUSY_WINDOW.toNanos();
        while (true) {
            try {
                if (attempt(link, dialer, options)) {
                    return link;
                }
            } catch (SessionBusyException e) {
                if (options.takeover() || System.nanoTime() > giveUp) {
                    throw refusal(connector, e.answer());
                }
            } catch (UpgradeRefusedException e) {
                throw failure(connector, e, OptionalInt.of(e.status()));
            } catch (RequestFailedException e) {
                throw refusal(connector, e);
            } catch (IOException | ExecServerException e) {
                throw failure(connector, e, OptionalInt.empty());
            }
            Thread.sleep(options.reconnect().delay());
        }
    }

    private static boolean attempt(Link link, ConnectionOpener dialer, LinkOptions options)
            throws IOException, InterruptedException {
        Duration limit = options.connectTimeout().plus(options.initializeTimeout());
        ConnectionOpener.OpenConnection dialled =
                dialer.dial(options.resumeSessionId(), options.takeover(), limit, link.owner());
        if (!link.adopt(dialled)) {
            throw new IOException("connection lost right after the handshake");
        }
        return true;
    }

    /** Makes the exception for a server that was reached but gives no session. */
    private static ConnectFailedException refusal(Connector connector, RequestFailedException answer) {
        return new ConnectFailedException(
                connector + " refuses: " + answer.serverMessage(), OptionalInt.empty(), answer);
    }

    private static ConnectFailedException failure(Connector connector, Exception cause, OptionalInt httpStatus) {
        return new ConnectFailedException(
                "cannot connect to " + connector + ": " + CertificateTrust.explain(cause), httpStatus, cause);
    }
}
