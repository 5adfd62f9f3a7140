package dev.execserver.server.net;

import dev.execserver.protocol.net.HttpRequestParams;
import dev.execserver.protocol.net.HttpRequestResult;
import dev.execserver.protocol.net.NetMethodNames;
import dev.execserver.protocol.net.RedirectPolicy;
import dev.execserver.protocol.rpc.Base64Data;
import dev.execserver.protocol.rpc.InvalidBase64Exception;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.MemoryShare;
import dev.execserver.server.rpc.Answer;
import dev.execserver.server.rpc.Family;
import dev.execserver.server.rpc.Method;
import dev.execserver.server.rpc.Method.Call;
import dev.execserver.server.rpc.Method.Work;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * {@code http/request}. The handler runs on the reader thread and reserves the id of a stream, so that a second request for
 * it is refused in whichever order the threads come; the request's own thread does everything else.
 */
public final class HttpMethods {

    /** The longest body that is answered in one message; a longer one must be streamed. */
    static final int MAX_BODY_BYTES = 32 * 1024 * 1024;

    private static final Base64Data NO_BODY = Base64Data.ofBytes(new byte[0]);

    private final HttpClients clients;
    private final EnvironmentValues environment;
    private final MemoryShare streams;

    /**
     * The method as this server has it.
     *
     * @param environment of the server, for headers
     * @param protectedVariables names that no header may use, beside the server's own
     * @param streams where the memory of streams is taken from
     */
    public HttpMethods(
            HttpClients clients,
            Map<String, String> environment,
            Collection<String> protectedVariables,
            MemoryShare streams) {
        this.clients = clients;
        this.environment = new EnvironmentValues(environment, protectedVariables);
        this.streams = streams;
    }

    public List<Method<?>> methods() {
        return List.of(
                Method.ordinary(NetMethodNames.HTTP_REQUEST, Family.HTTP, HttpRequestParams::read, this::request));
    }

    private Work request(Call call, HttpRequestParams params) {
        HttpStreams active = call.connection().belonging(HttpStreams.class, HttpStreams::new);
        if (params.streamResponse()) {
            active.reserve(params.requestId());
            return () -> streamed(call, params, active);
        }
        return () -> buffered(call, params, active);
    }

    private Answer buffered(Call call, HttpRequestParams params, HttpStreams active) throws InterruptedException {
        HttpCall first = checked(call, params);
        HttpExchange exchange = new HttpExchange(clients, Deadline.after(params.timeoutMs()));
        Runnable cancellation = exchange::cancel;
        active.add(cancellation);
        try {
            HttpResponse<ResponseBody> response = exchange.run(first, follows(params));
            try {
                byte[] body = whole(response.body(), exchange.deadline(), call.memory());
                return Answer.of(new HttpRequestResult(
                        response.statusCode(), HeaderFields.received(response.headers()), Base64Data.ofBytes(body)));
            } finally {
                response.body().cancel();
            }
        } finally {
            active.remove(cancellation);
        }
    }

    private Answer streamed(Call call, HttpRequestParams params, HttpStreams active) throws InterruptedException {
        AnswerMemory memory = new AnswerMemory(streams);
        boolean started = false;
        try {
            HttpCall first = checked(call, params);
            memory.reserve(BodyStream.MEMORY_BYTES);
            HttpExchange exchange = new HttpExchange(clients, Deadline.after(params.timeoutMs()));
            Runnable cancellation = exchange::cancel;
            active.add(cancellation);
            HttpResponse<ResponseBody> response;
            try {
                response = exchange.run(first, follows(params));
            } finally {
                active.remove(cancellation);
            }
            HttpRequestResult result =
                    new HttpRequestResult(response.statusCode(), HeaderFields.received(response.headers()), NO_BODY);
            started = true;
            Runnable abandon = () -> {
                response.body().cancel();
                memory.release();
                active.free(params.requestId());
            };
            return Answer.of(new StreamHead(result, abandon))
                    .then(() -> start(call, params.requestId(), exchange, response, active, memory));
        } finally {
            if (!started) {
                memory.release();
                active.free(params.requestId());
            }
        }
    }

    private static void start(
            Call call,
            String id,
            HttpExchange exchange,
            HttpResponse<ResponseBody> response,
            HttpStreams active,
            AnswerMemory memory) {
        BodyStream stream = new BodyStream(id, exchange, call.connection().outbound(), memory, () -> active.free(id));
        Runnable cancellation = stream::cancel;
        active.add(cancellation);
        Threads.virtual("http-stream", () -> {
            try {
                stream.run(response.body());
            } finally {
                active.remove(cancellation);
            }
        });
    }

    private static boolean follows(HttpRequestParams params) {
        return params.redirectPolicy() == RedirectPolicy.FOLLOW;
    }

    private HttpCall checked(Call call, HttpRequestParams params) {
        RequestUrl url = RequestUrl.parse(params.url());
        String method = HttpCall.checkedMethod(params.method());
        byte[] body = body(call, params);
        return new HttpCall(method, url, HeaderFields.of(params.headers(), environment, body.length), body);
    }

    private static byte[] body(Call call, HttpRequestParams params) {
        Base64Data data = params.body().orElse(NO_BODY);
        call.memory().reserveAtLeast(data.size());
        try {
            return data.toByteArray();
        } catch (InvalidBase64Exception e) {
            throw RpcException.invalidParams("http/request bodyBase64 is invalid: " + e.getMessage());
        }
    }

    private static byte[] whole(ResponseBody body, Deadline deadline, AnswerMemory memory) throws InterruptedException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] buffer = new byte[BodyStream.CHUNK_BYTES];
        try {
            for (int count = body.read(buffer, deadline); count >= 0; count = body.read(buffer, deadline)) {
                if (all.size() + count > MAX_BODY_BYTES) {
                    throw tooLong();
                }
                // The array grows by doubling and is copied once at the end.
                memory.reserve(3L * count);
                all.write(buffer, 0, count);
            }
            return all.toByteArray();
        } catch (IOException e) {
            throw RpcException.internal("failed to read http/request response body: error decoding response body", e)
                    .withData("reason", e instanceof HttpTimeoutException ? "timeout" : "failed")
                    .withData("detail", HttpExchange.detail(e));
        }
    }

    private static RpcException tooLong() {
        return RpcException.internal("failed to read http/request response body: it has more than " + MAX_BODY_BYTES
                        + " bytes; ask for it with streamResponse")
                .withData("reason", "bodyTooLarge")
                .withData("limitBytes", MAX_BODY_BYTES);
    }
}
