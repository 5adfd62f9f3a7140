package dev.execserver.server.net;

import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpTimeoutException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs one {@code http/request}: connects, sends and follows redirects until the header of the last response has
 * arrived. The thread of the request runs it; any thread may cancel it, even when only the body is left.
 *
 * <p>Tries all addresses of the host of a plain http URL, one after another, until one accepts. The JDK's client would
 * try only the first one, which is 127.0.0.1 for a server that listens on ::1.
 */
public final class HttpExchange {

    /** Largest number of redirects, as in most clients. */
    static final int MAX_REDIRECTS = 10;

    /** The header of a response and its body, which may still be arriving. */
    public record Response(int status, HttpHeaders headers, ResponseBody body) {}

    private final HttpClients clients;
    private final Deadline deadline;
    private volatile Optional<Future<?>> pending = Optional.empty();
    private volatile Optional<ResponseBody> body = Optional.empty();
    private volatile Optional<Runnable> alsoCancelled = Optional.empty();
    private volatile boolean cancelled;

    public HttpExchange(HttpClients clients, Deadline deadline) {
        this.clients = clients;
        this.deadline = deadline;
    }

    public Deadline deadline() {
        return deadline;
    }

    boolean cancelled() {
        return cancelled;
    }

    /** Aborts the exchange, in any state. */
    void cancel() {
        cancelled = true;
        pending.ifPresent(future -> future.cancel(true));
        body.ifPresent(ResponseBody::cancel);
        alsoCancelled.ifPresent(Runnable::run);
    }

    /** Sets work that runs when the exchange is cancelled, or at once if it was cancelled. May run twice. */
    void onCancel(Runnable action) {
        alsoCancelled = Optional.of(action);
        if (cancelled) {
            action.run();
        }
    }

    /**
     * Sends the request and waits for the header of the last response.
     *
     * @throws RpcException -32603 if no response came, or none in time
     */
    public Response run(HttpCall first, boolean follow) throws InterruptedException {
        HttpCall call = first.withUserInfo();
        for (int redirects = 0; ; redirects++) {
            Response response = send(call);
            Optional<HttpCall> next = follow ? next(call, response) : Optional.empty();
            if (next.isEmpty()) {
                return response;
            }
            response.body().cancel();
            if (redirects == MAX_REDIRECTS) {
                throw RpcException.internal("http/request failed: too many redirects")
                        .withData("limit", MAX_REDIRECTS);
            }
            call = next.get();
        }
    }

    private static Optional<HttpCall> next(HttpCall call, Response response) {
        Optional<String> location = response.headers().firstValue("location");
        if (!HttpCall.redirects(response.status()) || location.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(call.redirected(response.status(), call.url().resolve(location.get())));
        } catch (RpcException e) {
            response.body().cancel();
            throw RpcException.internal("http/request failed: error following redirect for url (" + call.url() + ")")
                    .withData("detail", e.message());
        }
    }

    private Response send(HttpCall call) throws InterruptedException {
        Optional<RequestUrl> proxy = clients.proxies().choose(call.url());
        try {
            HttpClient client = await(clients.client(proxy.isPresent()));
            if (proxy.isPresent()) {
                return send(client, throughProxy(call, proxy.get()), call.url().uri());
            }
            return call.url().secure() ? sendByName(client, call) : sendByAddress(client, call);
        } catch (IOException e) {
            throw failure(call, e);
        } catch (IllegalArgumentException e) {
            throw failure(call, new IOException(e.getMessage(), e));
        }
    }

    private static HttpCall throughProxy(HttpCall call, RequestUrl proxy) {
        HeaderFields headers = proxy.userInfo()
                .map(text -> call.headers().orElse("proxy-authorization", HttpCall.basic(text)))
                .orElse(call.headers());
        return new HttpCall(call.method(), call.url(), headers, call.body());
    }

    /**
     * Sends the request with the name in its URL, because the certificate is checked against the name. The look-up here
     * puts the name into the JVM's cache.
     */
    private Response sendByName(HttpClient client, HttpCall call) throws IOException, InterruptedException {
        List<InetAddress> unused = addresses(call.url());
        return send(client, call, call.url().uri());
    }

    private Response sendByAddress(HttpClient client, HttpCall call) throws IOException, InterruptedException {
        HeaderFields headers = call.headers().orElse("host", call.url().authority());
        HttpCall named = new HttpCall(call.method(), call.url(), headers, call.body());
        List<InetAddress> addresses = addresses(call.url());
        for (int i = 0; ; i++) {
            try {
                return send(client, named, call.url().uriOf(LiteralAddress.text(addresses.get(i))));
            } catch (ConnectException e) {
                if (i == addresses.size() - 1) {
                    throw e;
                }
            }
        }
    }

    private List<InetAddress> addresses(RequestUrl url) throws IOException, InterruptedException {
        Optional<InetAddress> literal = LiteralAddress.of(url.host());
        return literal.isPresent() ? List.of(literal.get()) : await(clients.lookUp(url.host()));
    }

    private Response send(HttpClient client, HttpCall call, URI uri) throws IOException, InterruptedException {
        HttpRequest.Builder request = withMethod(HttpRequest.newBuilder(uri), call);
        // The JDK's client always sends a User-Agent; this one names the server.
        HeaderFields headers = call.headers().orElse("accept", "*/*").orElse("user-agent", clients.userAgent());
        headers.fields().forEach(field -> request.header(field.name(), field.value()));
        ResponseBody received = new ResponseBody();
        body = Optional.of(received);
        try {
            return await(response(client, request.build(), received));
        } catch (IOException | InterruptedException | RuntimeException e) {
            received.cancel();
            throw e;
        }
    }

    /**
     * Returns the response as soon as its header has arrived. The future of the JDK's client does not do: it fails when
     * the body breaks early, and the header is lost. Cancelling the returned future aborts the request.
     */
    private static CompletableFuture<Response> response(HttpClient client, HttpRequest request, ResponseBody body) {
        CompletableFuture<Response> response = new CompletableFuture<>();
        CompletableFuture<?> whole = client.sendAsync(request, info -> {
            response.complete(new Response(info.statusCode(), info.headers(), body));
            return body;
        });
        CompletableFuture<?> _ = whole.whenComplete((unused, failure) -> {
            if (failure != null) {
                response.completeExceptionally(failure instanceof CompletionException ? failure.getCause() : failure);
                body.onError(failure);
            }
        });
        CompletableFuture<?> _ = response.whenComplete((unused, failure) -> {
            if (response.isCancelled()) {
                whole.cancel(true);
            }
        });
        return response;
    }

    /** Sets the method and the body. A method whose requests normally have no body gets no Content-Length. */
    private static HttpRequest.Builder withMethod(HttpRequest.Builder request, HttpCall call) {
        if (call.body().length > 0) {
            return request.method(call.method(), BodyPublishers.ofByteArray(call.body()));
        }
        return switch (call.method()) {
            case "GET" -> request.GET();
            case "HEAD" -> request.HEAD();
            case "DELETE" -> request.DELETE();
            default -> request.method(call.method(), BodyPublishers.noBody());
        };
    }

    private <T> T await(CompletableFuture<T> future) throws IOException, InterruptedException {
        pending = Optional.of(future);
        try {
            if (cancelled || deadline.passed()) {
                throw new TimeoutException();
            }
            T result = future.get(deadline.leftNanos(), TimeUnit.NANOSECONDS);
            if (cancelled) {
                body.ifPresent(ResponseBody::cancel);
                throw new IOException("cancelled");
            }
            return result;
        } catch (TimeoutException | InterruptedException e) {
            future.cancel(true);
            if (e instanceof InterruptedException interrupted) {
                throw interrupted;
            }
            throw new HttpTimeoutException(cancelled ? "cancelled" : "no response in time");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
        } catch (CancellationException e) {
            throw new IOException("cancelled"); // the exception's own text says nothing
        }
    }

    /** Returns the error with the text of the reference server; the data hold the reason. */
    private RpcException failure(HttpCall call, IOException e) {
        return RpcException.internal("http/request failed: error sending request for url (" + call.url() + ")", e)
                .withData("reason", reason(e))
                .withData("detail", detail(e));
    }

    private String reason(IOException e) {
        if (cancelled) {
            return "cancelled";
        }
        return e instanceof HttpTimeoutException ? "timeout" : "failed";
    }

    /** Returns the message of the innermost cause that has one. */
    static String detail(Throwable e) {
        String words = e.getClass().getSimpleName();
        for (Throwable at = e; at != null; at = at.getCause()) {
            if (at.getMessage() != null && !at.getMessage().isBlank()) {
                words = at.getClass().getSimpleName() + ": " + at.getMessage();
            }
        }
        return words;
    }
}
