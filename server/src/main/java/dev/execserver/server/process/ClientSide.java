package dev.execserver.server.process;

import dev.execserver.protocol.process.ReadResult;
import dev.execserver.server.access.ProcessTrail;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.process.client.ApprovalLink;
import dev.execserver.server.process.client.ClientRequests;
import dev.execserver.server.process.network.ProcessNetwork;
import dev.execserver.server.process.output.AttachmentReads;
import dev.execserver.server.process.output.ClientLink;
import dev.execserver.server.process.output.EventEncoder;
import dev.execserver.server.process.output.OutputLog;
import dev.execserver.server.process.output.ResumePlans;

/**
 * Links between one process and the client of its session, across connections: the events that are pushed, the questions of its
 * network proxy and those about its programs.
 *
 * <p>The session attaches and detaches under its lock; the clock, pumps and request threads push. No locks of its own.
 */
public final class ClientSide {

    private final OutputLog log;
    private final ClientLink events;
    private final ProcessNetwork network;
    private final ApprovalLink approvals;

    ClientSide(OutputLog log, ProcessServices services, ClientRequests client, ProcessTrail trail) {
        String processId = trail.processId();
        this.log = log;
        this.events = new ClientLink(log, new EventEncoder(processId), new ResumePlans(services.timers()));
        this.network = new ProcessNetwork(client, trail);
        this.approvals = new ApprovalLink(processId, client);
    }

    public ProcessNetwork network() {
        return network;
    }

    ApprovalLink approvals() {
        return approvals;
    }

    /** Attaches the connection that started the process. {@link #push} begins to send events. */
    public void attach(Outbound connection) {
        events.attach(connection);
        network.attach(connection);
        approvals.attach(connection);
    }

    /** Attaches the connection that has taken over. Holds events until it has read the missed ones or its time is over. */
    public void resume(Outbound connection, AttachmentReads resume) {
        events.resume(connection, resume);
        network.attach(connection);
        approvals.attach(connection);
    }

    /** Reports the answer of a read. If this connection resumed the session, it may now get the events that follow. */
    public void caughtUp(Outbound connection, ReadResult answer) {
        events.caughtUp(connection, answer);
    }

    public void detach() {
        events.detach();
        network.detach();
        approvals.detach();
    }

    /** Returns true if an event that is pushed was not yet written to a connection. */
    public boolean pushesStill() {
        return log.pushesStill();
    }

    /** Returns true if no read since the last resume has returned the last output and the close. */
    public boolean unread() {
        return log.unread();
    }

    /** Attaches a thread of the server that reads the output in the place of a client. */
    void readByServer() {
        int _ = log.attach();
        approvals.announce();
    }

    /** Announces events, so that a thread that writes to the connection takes them along. */
    void announce() {
        events.announce();
    }

    /** Sends waiting events if a connection is attached. */
    public void push() {
        events.push();
    }

    /** Ends the limits on pushing after a resume, because the server stops. */
    void hurry() {
        events.hurry();
    }

    /** Ends the proxy and all open questions. */
    void close() {
        network.close();
        approvals.close();
    }
}
