package dev.execserver.server.mcp.shell;

import dev.execserver.protocol.process.ExecApprovalRequest;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.server.mcp.Peer;
import dev.execserver.server.outbound.BufferPool;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.session.Attachment;
import dev.execserver.server.session.Unasked;
import dev.execserver.server.transport.auth.Subject;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An MCP client, as the session with its commands sees it: it reads output itself, and its questions about programs go the way that
 * the call came from. Any thread; the map has the ways of the commands that run.
 */
final class ClientSession implements Attachment {
    private final Optional<Subject> subject;
    private final ExecQuestions questions;
    private final Map<String, Peer> peers = new ConcurrentHashMap<>();
    private final Outbound outbound = new Outbound(new DiscardingTransport(), new BufferPool());

    ClientSession(Optional<Subject> subject, ExecQuestions questions) {
        this.subject = subject;
        this.questions = questions;
    }

    /** Returns true if the client can be asked about programs. */
    boolean canBeAsked() {
        return questions.possible();
    }

    void began(String processId, Peer peer) {
        peers.put(processId, peer);
    }

    void ended(String processId) {
        peers.remove(processId);
    }

    @Override
    public Optional<Subject> subject() {
        return subject;
    }

    @Override
    public Outbound outbound() {
        return outbound;
    }

    @Override
    public CompletableFuture<JsonSlice> ask(String method, JsonWritable params) {
        if (params instanceof ExecApprovalRequest question) {
            Peer peer = peers.get(question.processId());
            if (peer != null) {
                return questions.ask(peer, question);
            }
        }
        return CompletableFuture.failedFuture(Unasked.because("an MCP client is not asked by " + method));
    }

    /** An MCP client has its session alone, so nobody asks. */
    @Override
    public boolean provesAlive(Duration limit) {
        return true;
    }

    @Override
    public void awaitLastAnswers() {
        // the connection waits for its own answers
    }

    @Override
    public void displaced() {
        // the session's id is given to nobody
    }
}
