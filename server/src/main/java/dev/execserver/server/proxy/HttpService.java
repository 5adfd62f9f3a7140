package dev.execserver.server.proxy;

import dev.execserver.protocol.net.NetworkProtocol;
import dev.execserver.server.proxy.http.BadRequestException;
import dev.execserver.server.proxy.http.Body;
import dev.execserver.server.proxy.http.HttpFields;
import dev.execserver.server.proxy.http.PeerInput;
import dev.execserver.server.proxy.http.RequestHead;
import dev.execserver.server.proxy.http.UpstreamException;
import dev.execserver.server.proxy.rules.ProxyDestination;
import dev.execserver.server.proxy.rules.Refusal;
import dev.execserver.server.proxy.rules.Ruling;
import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;

/**
 * Serves HTTP/1.1 to the process: requests on one connection one after another, each judged by itself, CONNECT tunnels,
 * and protocol upgrades. One thread for each connection; no state.
 */
final class HttpService implements Service {

    private final ProxyParts parts;

    HttpService(ProxyParts parts) {
        this.parts = parts;
    }

    @Override
    public void serve(ProxyConnection visit) throws IOException, InterruptedException {
        try {
            boolean again = true;
            while (again) {
                visit.watch().within(parts.bounds().keepAlive());
                again = visit.source().awaitByte() && serveRequest(visit);
            }
        } catch (BadRequestException e) {
            visit.answer(HttpAnswers.text("400 Bad Request", e.getMessage()));
            LingeringClose.drain(visit);
        }
    }

    /** Serves one request. Returns true if another may follow on the connection. */
    private boolean serveRequest(ProxyConnection visit) throws IOException, InterruptedException {
        visit.watch().within(parts.bounds().headTime());
        RequestHead head = head(visit);
        ProxyDestination target = new ProxyDestination(
                head.tunnel() ? NetworkProtocol.HTTPS_CONNECT : NetworkProtocol.HTTP,
                head.host(),
                head.port(),
                Optional.of(head.method()),
                visit.wire().peer());
        Exchange exchange = new Exchange(target);
        try {
            return serve(visit, head, exchange);
        } catch (BadRequestException e) {
            exchange.ended("bad request: " + e.getMessage());
            throw e;
        } finally {
            parts.log().write(exchange);
        }
    }

    private RequestHead head(ProxyConnection visit) throws IOException {
        try {
            return RequestHead.read(visit.source(), parts.bounds().headBytes());
        } catch (BadRequestException e) {
            parts.log().unreadable(e.getMessage());
            throw e;
        }
    }

    private boolean serve(ProxyConnection visit, RequestHead head, Exchange exchange)
            throws IOException, InterruptedException {
        ProxyDestination target = exchange.target();
        // Checked before the client is asked: a request that cannot be forwarded needs no permission.
        Body body = head.tunnel() ? Body.NONE : Body.ofRequest(head.fields(), head.http10());
        HttpFields passed = head.fields().endToEnd();
        visit.watch().idle(parts.longestWait());
        Ruling ruling = ruling(head, target);
        exchange.ruled(ruling);
        switch (ruling) {
            case Ruling.Refused refused -> {
                boolean unix = refused.refusal().equals(Refusal.ofUnixSocket());
                visit.answer(
                        unix
                                ? HttpAnswers.text("501 Not Implemented", "unix sockets unsupported")
                                : HttpAnswers.refused(target, refused));
                LingeringClose.drain(visit);
                return false;
            }
            case Ruling.Unknown unknown -> {
                return failed(visit, unknown.why());
            }
            case Ruling.Permitted permitted -> {
                visit.watch().idle(parts.bounds().idle());
                try {
                    return head.tunnel()
                            ? tunnel(visit, permitted, exchange)
                            : new HttpForward(parts, visit, exchange).run(head, passed, body, permitted);
                } catch (UpstreamException e) {
                    exchange.ended("unreachable: " + e.getMessage());
                    return failed(visit, e.getMessage());
                } catch (EOFException e) {
                    exchange.ended("broken: " + e.getMessage());
                    return false;
                }
            }
        }
    }

    private Ruling ruling(RequestHead head, ProxyDestination target) throws InterruptedException, BadRequestException {
        if (head.fields().has("x-unix-socket")) {
            return parts.judge().unixSocket(target);
        }
        if (head.upgrade().isPresent() && parts.limited()) {
            return parts.judge()
                    .judge(new ProxyDestination(
                            target.protocol(), target.host(), target.port(), Optional.of("UPGRADE"), target.client()));
        }
        return parts.judge().judge(target);
    }

    private static boolean failed(ProxyConnection visit, String why) throws IOException {
        visit.answer(HttpAnswers.text("502 Bad Gateway", "upstream failure: " + why));
        LingeringClose.drain(visit);
        return false;
    }

    private boolean tunnel(ProxyConnection visit, Ruling.Permitted permitted, Exchange exchange)
            throws IOException, InterruptedException {
        TcpConnection wire =
                parts.outgoing().tunnel(exchange.target(), permitted.addresses(), visit.watch(), visit::opened);
        visit.answer(HttpAnswers.TUNNEL);
        DuplexRelay.run(visit, wire, new PeerInput(wire.input(), visit.watch()), exchange);
        exchange.ended(visit.watch().expired() ? "idle" : "closed");
        return false;
    }
}
