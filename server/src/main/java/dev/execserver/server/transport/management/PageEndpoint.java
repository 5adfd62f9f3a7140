package dev.execserver.server.transport.management;

import dev.execserver.server.transport.PresentedCredentials;
import dev.execserver.server.transport.auth.Admission;
import dev.execserver.server.transport.auth.Authenticator;
import dev.execserver.server.transport.auth.HostNames;
import dev.execserver.server.transport.files.RawConnection;
import dev.execserver.server.transport.files.TransferTimeouts;
import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Serves pages over HTTP, to whoever has the credential and does not come by the name of another host. No state. */
public final class PageEndpoint {
    private final List<Page> pages;
    private final Authenticator authenticator;
    private final HostNames hosts;

    public PageEndpoint(List<Page> pages, Authenticator authenticator, HostNames hosts) {
        this.pages = List.copyOf(pages);
        this.authenticator = authenticator;
        this.hosts = hosts;
    }

    /**
     * Answers a request for one of the pages.
     *
     * @param path of the request, below the base path
     * @return false if there is no such page; nothing was sent then
     */
    public boolean handle(String path, ServerRequest request, ServerResponse response, TransferTimeouts patience) {
        Method method = request.prologue().method();
        if (method != Method.GET && method != Method.POST) {
            return false;
        }
        Optional<Page.Reply> refusal = refusal(request, patience);
        Page.Request asked = new Page.Request(method == Method.POST, path, query(request));
        for (Page page : pages) {
            Optional<Page.Reply> reply =
                    refusal.isPresent() && known(page, path) ? refusal : answer(page, asked, refusal);
            if (reply.isPresent()) {
                send(reply.get(), response, patience);
                return true;
            }
        }
        return false;
    }

    /** Asks a page without a side effect whether the path is its own: nobody learns more than that. */
    private static boolean known(Page page, String path) {
        return page.answer(new Page.Request(false, path, Map.of())).isPresent();
    }

    private static Optional<Page.Reply> answer(Page page, Page.Request asked, Optional<Page.Reply> refusal) {
        return refusal.isPresent() ? Optional.empty() : page.answer(asked);
    }

    private Optional<Page.Reply> refusal(ServerRequest request, TransferTimeouts patience) {
        String host = request.headers().contains(HeaderNames.HOST)
                ? request.headers().get(HeaderNames.HOST).get()
                : "";
        Optional<String> strange =
                hosts.refusal(RawConnection.current().authority().orElse(host));
        if (strange.isPresent()) {
            return Optional.of(Page.Reply.fault(Status.FORBIDDEN_403.code(), strange.get()));
        }
        return authenticator.check(
                                PresentedCredentials.of(request.remotePeer(), request.headers(), patience::refusedSoon))
                        instanceof Admission.Refused(String why)
                ? Optional.of(Page.Reply.fault(Status.UNAUTHORIZED_401.code(), why))
                : Optional.empty();
    }

    private static Map<String, String> query(ServerRequest request) {
        Map<String, String> members = new HashMap<>();
        for (String name : request.query().names()) {
            members.put(name, request.query().get(name));
        }
        return members;
    }

    private static void send(Page.Reply reply, ServerResponse response, TransferTimeouts patience) {
        Status status = Status.create(reply.status());
        if (reply.status() == Status.UNAUTHORIZED_401.code() || reply.status() == Status.FORBIDDEN_403.code()) {
            patience.refused(status, reply.body().strip());
        }
        response.status(status)
                .header(HeaderNames.CONTENT_TYPE, reply.contentType())
                .send(reply.body().getBytes(StandardCharsets.UTF_8));
    }
}
