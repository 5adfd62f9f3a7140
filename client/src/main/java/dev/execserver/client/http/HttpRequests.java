package dev.execserver.client.http;

import dev.execserver.client.error.UnexpectedAnswerException;
import dev.execserver.client.rpc.AfterLoss;
import dev.execserver.client.rpc.Caller;
import dev.execserver.protocol.net.HttpCancelParams;
import dev.execserver.protocol.net.HttpRequestParams;
import dev.execserver.protocol.net.HttpRequestResult;
import dev.execserver.protocol.net.NetMethodNames;
import dev.execserver.protocol.rpc.InvalidBase64Exception;

/**
 * HTTP requests that the server makes. They are never repeated: if the connection is lost before the answer came, it is
 * not known if the request was made.
 */
public final class HttpRequests {

    private final Caller caller;
    private final BodyStreams streams;

    public HttpRequests(Caller caller, BodyStreams streams) {
        this.caller = caller;
        this.streams = streams;
    }

    /**
     * Makes a request and returns the whole response, with any status.
     *
     * @throws dev.execserver.client.error.RequestFailedException when there is no response, or its body is too long
     * @throws dev.execserver.client.error.ConnectionLostException when the connection to the server was lost
     */
    public HttpReply request(HttpSpec spec) throws InterruptedException {
        HttpRequestResult result = call(spec, spec.params(false));
        try {
            return new HttpReply(
                    result.status(), result.headers(), result.body().toByteArray());
        } catch (InvalidBase64Exception e) {
            throw new UnexpectedAnswerException(NetMethodNames.HTTP_REQUEST, e);
        }
    }

    /**
     * Makes a request and returns as soon as the header of the response has come.
     *
     * @throws dev.execserver.client.error.RequestFailedException when there is no response
     * @throws dev.execserver.client.error.ConnectionLostException when the connection to the server was lost
     */
    public StreamedReply stream(HttpSpec spec) throws InterruptedException {
        HttpRequestParams params = spec.params(true);
        String id = params.requestId();
        BodyInput body = new BodyInput(() -> cancel(id));
        streams.register(id, body);
        boolean begun = false;
        try {
            HttpRequestResult result = call(spec, params);
            begun = true;
            return new StreamedReply(result.status(), result.headers(), body);
        } finally {
            if (!begun) {
                streams.forget(id);
                cancel(id);
            }
        }
    }

    private HttpRequestResult call(HttpSpec spec, HttpRequestParams params) throws InterruptedException {
        long wait = spec.timeout().map(limit -> limit.toMillis()).orElse(0L);
        return caller.callWaiting(NetMethodNames.HTTP_REQUEST, params, AfterLoss.FAIL, wait, HttpRequestResult::read);
    }

    /** Cancels the request. A server without this addition streams to the end, and the client drops the rest. */
    private void cancel(String id) {
        streams.forget(id);
        if (caller.features().contains(NetMethodNames.HTTP_CANCEL)) {
            caller.send(NetMethodNames.HTTP_CANCEL, new HttpCancelParams(id));
        }
    }
}
