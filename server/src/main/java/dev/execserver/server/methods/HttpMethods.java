package dev.execserver.server.methods;

import dev.execserver.protocol.net.HttpCancelParams;
import dev.execserver.protocol.net.HttpRequestParams;
import dev.execserver.protocol.net.HttpRequestResult;
import dev.execserver.protocol.net.NetMethodNames;
import dev.execserver.protocol.net.RedirectPolicy;
import dev.execserver.protocol.rpc.Base64Data;
import dev.execserver.protocol.rpc.InvalidBase64Exception;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.access.AccessField;
import dev.execserver.server.access.AccessKind;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.MemoryBudget;
import dev.execserver.server.net.BodyStream;
import dev.execserver.server.net.Deadline;
import dev.execserver.server.net.EnvironmentValues;
import dev.execserver.server.net.HeaderFields;
import dev.execserver.server.net.HttpCall;
import dev.execserver.server.net.HttpClients;
import dev.execserver.server.net.HttpExchange;
import dev.execserver.server.net.HttpStreams;
import dev.execserver.server.net.RequestUrl;
import dev.execserver.server.net.StreamedAnswer;
import dev.execserver.server.net.WholeBody;
import dev.execserver.server.rpc.Answer;
import dev.execserver.server.rpc.FloorRule;
import dev.execserver.server.rpc.Method;
import dev.execserver.server.rpc.Method.Call;
import dev.execserver.server.rpc.Method.Work;
import dev.execserver.server.rpc.MethodFamily;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * {@code http/request} and {@code http/request/cancel}. The handler runs on the reader thread and reserves the id of a
 * stream, so that a second request with this id is refused in any order of threads. The request's own thread does the
 * rest.
 */
public final class HttpMethods {

    private static final Base64Data NO_BODY = Base64Data.ofBytes(new byte[0]);

    /** Descriptors of a request: a connection; the first request also makes a client, which has a selector. */
    private static final int FOR_REQUEST = 4;

    private final HttpClients clients;
    private final EnvironmentValues environment;
    private final MemoryBudget streams;
    private final Runnable admission;

    /**
     * Makes the methods of one server.
     *
     * @param environment the server's environment, for headers
     * @param protectedVariables names of variables that no header may use, besides the server's own
     * @param streams memory share for streams
     * @param admission throws an {@code RpcException} if clients may not use the server's network; does not wait
     */
    public HttpMethods(
            HttpClients clients,
            Map<String, String> environment,
            Collection<String> protectedVariables,
            MemoryBudget streams,
            Runnable admission) {
        this.clients = clients;
        this.admission = admission;
        this.environment = new EnvironmentValues(environment, protectedVariables);
        this.streams = streams;
    }

    public List<Method<?>> methods() {
        return List.of(
                Method.ordinary(
                                NetMethodNames.HTTP_REQUEST,
                                MethodFamily.HTTP,
                                FloorRule.NETWORK,
                                HttpRequestParams::read,
                                this::request)
                        .opening(_ -> FOR_REQUEST)
                        .audited(
                                AccessKind.HTTP_REQUESTED,
                                (params, event, _) -> event.hideErrorText() // errors repeat the URL, with its query
                                        .put(AccessField.HTTP_METHOD, params.method())),
                Method.control(
                                NetMethodNames.HTTP_CANCEL,
                                MethodFamily.HTTP,
                                FloorRule.OWN,
                                HttpCancelParams::read,
                                HttpMethods::cancel)
                        .asAdditive());
    }

    private static HttpStreams active(Call call) {
        return call.connection().belonging(HttpStreams.class, HttpStreams::new);
    }

    private static Work cancel(Call call, HttpCancelParams params) {
        active(call).cancel(params.requestId());
        return Answer::empty;
    }

    private Work request(Call call, HttpRequestParams params) {
        admission.run();
        HttpStreams active = active(call);
        HttpExchange exchange = new HttpExchange(clients, Deadline.after(params.timeoutMs()));
        if (params.streamResponse()) {
            active.reserve(params.requestId(), exchange);
            return () -> streamed(call, params, exchange, active);
        }
        return () -> buffered(call, params, exchange, active);
    }

    private Answer buffered(Call call, HttpRequestParams params, HttpExchange exchange, HttpStreams active)
            throws InterruptedException {
        call.memory().takeAhead(bodyBytes(params));
        HttpCall first = checked(call, params);
        active.add(exchange);
        try {
            HttpExchange.Response response = exchange.run(first, follows(params));
            logStatus(call, response);
            try {
                return Answer.of(new HttpRequestResult(
                        response.status(),
                        HeaderFields.received(response.headers()),
                        WholeBody.read(response, exchange.deadline(), call.memory())));
            } finally {
                response.body().cancel();
            }
        } finally {
            active.remove(exchange);
        }
    }

    private Answer streamed(Call call, HttpRequestParams params, HttpExchange exchange, HttpStreams active)
            throws InterruptedException {
        AnswerMemory memory = new AnswerMemory(streams);
        long streamBytes = BodyStream.MEMORY_BYTES + HeaderFields.memoryBytes(params.headers());
        boolean started = false;
        try {
            memory.takeAhead(streamBytes + bodyBytes(params));
            HttpExchange.Response response = exchange.run(checked(call, params), follows(params));
            logStatus(call, response);
            memory.keepOnly(streamBytes);
            HttpRequestResult result =
                    new HttpRequestResult(response.status(), HeaderFields.received(response.headers()), NO_BODY);
            Runnable end = () -> active.free(params.requestId());
            BodyStream stream = new BodyStream(
                    params.requestId(), exchange, call.connection().outbound(), memory, end);
            Runnable abandon = () -> {
                response.body().cancel();
                memory.release();
                end.run();
            };
            started = true;
            return Answer.of(new StreamedAnswer(result, abandon))
                    .then(() -> Threads.virtual("http-stream", () -> stream.run(response.body())));
        } finally {
            if (!started) {
                memory.release();
                active.free(params.requestId());
            }
        }
    }

    private static boolean follows(HttpRequestParams params) {
        return params.redirectPolicy() == RedirectPolicy.FOLLOW;
    }

    private static void logStatus(Call call, HttpExchange.Response response) {
        call.event().ifPresent(event -> event.put(AccessField.HTTP_STATUS, response.status()));
    }

    private HttpCall checked(Call call, HttpRequestParams params) {
        RequestUrl url = RequestUrl.parse(params.url());
        call.event().ifPresent(url::describe);
        String method = HttpCall.checkedMethod(params.method());
        byte[] body = body(params);
        return new HttpCall(method, url, HeaderFields.of(params.headers(), environment, body.length), body);
    }

    private static long bodyBytes(HttpRequestParams params) {
        return params.body().orElse(NO_BODY).size();
    }

    private static byte[] body(HttpRequestParams params) {
        try {
            return params.body().orElse(NO_BODY).toByteArray();
        } catch (InvalidBase64Exception e) {
            throw RpcException.invalidParams("http/request bodyBase64 is invalid: " + e.getMessage());
        }
    }
}
