package dev.execserver.server.proxy;

import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.proxy.http.BadRequestException;
import dev.execserver.server.proxy.http.Body;
import dev.execserver.server.proxy.http.CopyBuffer;
import dev.execserver.server.proxy.http.HttpFields;
import dev.execserver.server.proxy.http.PeerInput;
import dev.execserver.server.proxy.http.RequestHead;
import dev.execserver.server.proxy.http.ResponseHead;
import dev.execserver.server.proxy.http.UpstreamException;
import dev.execserver.server.proxy.rules.Ruling;
import dev.execserver.server.proxy.rules.UpstreamProxies;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Forwards one plain HTTP request to its host and copies the response back. Each request has a connection of its own,
 * to the addresses that were checked for it. The calling thread reads the response, a second one sends the body of the
 * request.
 */
final class HttpForward {

    private static final Duration BODY_GRACE = Duration.ofMillis(100);

    private final ProxyParts parts;
    private final ProxyConnection visit;
    private final Exchange exchange;
    private volatile boolean bodySent;

    HttpForward(ProxyParts parts, ProxyConnection visit, Exchange exchange) {
        this.parts = parts;
        this.visit = visit;
        this.exchange = exchange;
    }

    /** Forwards the request. Returns true if another request may follow on the connection. */
    boolean run(RequestHead head, HttpFields passed, Body body, Ruling.Permitted permitted)
            throws IOException, InterruptedException {
        Optional<UpstreamProxies.Upstream> proxy = parts.outgoing().proxyFor(exchange.target());
        TcpConnection host = proxy.isPresent()
                ? parts.outgoing().toProxy(proxy.get(), visit::opened)
                : parts.outgoing().tunnel(exchange.target(), permitted.addresses(), visit.watch(), visit::opened);
        try {
            sendHead(host, head(head, passed, body, proxy));
            Thread sender = Threads.virtual("proxy-body", () -> send(body, host));
            return answer(head, host, sender);
        } finally {
            visit.finished(host);
        }
    }

    private byte[] head(RequestHead head, HttpFields passed, Body body, Optional<UpstreamProxies.Upstream> proxy)
            throws BadRequestException {
        Optional<String> upgrade = head.upgrade();
        HttpFields fields = passed.without("host").plusFirst("Host", head.hostHeader());
        if (body instanceof Body.Chunked) {
            fields = fields.plus("Transfer-Encoding", "chunked");
        }
        fields = fields.plus("Connection", upgrade.isPresent() ? "Upgrade" : "close");
        if (upgrade.isPresent()) {
            fields = fields.plus("Upgrade", upgrade.get());
        }
        if (proxy.isPresent() && proxy.get().authorization().isPresent()) {
            fields = fields.plus(
                    "Proxy-Authorization", proxy.get().authorization().get());
        }
        String path = head.path().equals("*") && proxy.isPresent() ? "" : head.path(); // RFC 9112, section 3.2.4
        String target = proxy.isPresent() ? "http://" + head.hostHeader() + path : path;
        return fields.head(head.method() + " " + target + (head.http10() ? " HTTP/1.0" : " HTTP/1.1"));
    }

    private static void sendHead(TcpConnection host, byte[] head) throws UpstreamException {
        try {
            host.output().write(head);
        } catch (IOException e) {
            throw new UpstreamException("the host has ended the connection", e);
        }
    }

    private void send(Body body, TcpConnection host) {
        Body.Sink out = Body.to(host.output(), visit.watch());
        try {
            body.copy(
                    visit.source(),
                    (bytes, count) -> {
                        out.write(bytes, count);
                        exchange.countSent(count);
                    },
                    new CopyBuffer());
            bodySent = true;
        } catch (BadRequestException e) {
            exchange.ended("bad request body: " + e.getMessage());
            visit.close();
        } catch (IOException e) {
            // The host takes no more, and its answer may say why. Or the process is gone, which its own thread notices.
        }
    }

    private boolean answer(RequestHead request, TcpConnection host, Thread sender)
            throws IOException, InterruptedException {
        PeerInput source = new PeerInput(host.input(), visit.watch());
        ResponseHead head = ResponseHead.read(source, parts.bounds().headBytes());
        while (head.interim()) {
            if (!request.http10()) {
                visit.answer(head.fields().endToEnd().head(head.line()));
            }
            head = ResponseHead.read(source, parts.bounds().headBytes());
        }
        if (head.status() == 101) {
            return switchProtocols(request, host, source, head, sender);
        }
        return carry(request, source, head, sender);
    }

    private boolean carry(RequestHead request, PeerInput source, ResponseHead head, Thread sender)
            throws IOException, InterruptedException {
        Body body;
        HttpFields fields;
        try {
            body = Body.ofResponse(
                    head.status(), head.fields(), request.method().equals("HEAD"), head.http10());
            fields = head.fields().endToEnd();
        } catch (BadRequestException e) {
            throw new UpstreamException("the host answers with " + e.getMessage(), e);
        }
        boolean chunked = body instanceof Body.Chunked;
        if (chunked && request.http10()) {
            throw new UpstreamException("the host answers HTTP/1.0 in chunks");
        }
        if (chunked) {
            fields = fields.plus("Transfer-Encoding", "chunked");
        }
        // A host that has answered has read the body or will never read it.
        sender.join(BODY_GRACE);
        boolean again = bodySent
                && !request.http10()
                && !(body instanceof Body.UntilEnd)
                && !request.fields().tokens("connection").contains("close")
                && !request.fields().tokens("proxy-connection").contains("close");
        if (!again) {
            fields = fields.plus("Connection", "close");
        }
        visit.answer(fields.head("HTTP/1.1" + head.line().substring("HTTP/1.x".length())));
        Body.Sink out = Body.to(visit.wire().output(), visit.watch());
        try {
            body.copy(
                    source,
                    (bytes, count) -> {
                        out.write(bytes, count);
                        exchange.countReceived(count);
                    },
                    new CopyBuffer());
        } catch (BadRequestException e) {
            exchange.ended("broken: the host answers with " + e.getMessage());
            return false; // the head was sent: only the end of the connection can report this
        }
        exchange.ended("status " + head.status());
        return again;
    }

    private boolean switchProtocols(
            RequestHead request, TcpConnection host, PeerInput source, ResponseHead head, Thread sender)
            throws IOException {
        if (request.upgrade().isEmpty() || !(sender.isAlive() || bodySent)) {
            throw new UpstreamException("the host switches to a protocol that nobody has asked for");
        }
        Threads.join(sender);
        HttpFields fields = head.fields().endToEnd().plus("Connection", "Upgrade");
        Optional<String> upgrade = head.fields().values("upgrade").stream().findFirst();
        if (upgrade.isPresent()) {
            fields = fields.plus("Upgrade", upgrade.get());
        }
        visit.answer(fields.head(head.line()));
        DuplexRelay.run(visit, host, source, exchange);
        exchange.ended("closed");
        return false;
    }
}
