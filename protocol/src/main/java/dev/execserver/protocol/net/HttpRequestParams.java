package dev.execserver.protocol.net;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Base64Data;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.DirectWritable;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Params of {@code http/request}.
 *
 * @param headers in this order, including repeated names
 * @param body neither decoded nor checked yet
 * @param timeoutMs limit for the whole exchange up to the end of the body; no limit when empty
 * @param requestId name of the stream of a streamed body. Without streaming it may be absent in the open dialect, and
 *     is then an empty string
 * @param streamResponse true if the body follows in {@link BodyDelta} notifications
 */
public record HttpRequestParams(
        String method,
        String url,
        List<RequestHeader> headers,
        Optional<Base64Data> body,
        OptionalLong timeoutMs,
        RedirectPolicy redirectPolicy,
        String requestId,
        boolean streamResponse)
        implements DirectWritable {

    public HttpRequestParams {
        headers = List.copyOf(headers);
    }

    /** Errors are those of {@link ParamsReader}. */
    public static HttpRequestParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "HttpRequestParams");
        String method = null;
        String url = null;
        List<RequestHeader> headers = List.of();
        Optional<Base64Data> body = Optional.empty();
        OptionalLong timeout = OptionalLong.empty();
        RedirectPolicy redirects = RedirectPolicy.FOLLOW;
        String requestId = null;
        boolean stream = false;
        while (in.next()) {
            switch (in.name()) {
                case "method" -> method = in.string();
                case "url" -> url = in.string();
                case "headers" -> headers = in.structs("HttpHeader", RequestHeader::read);
                case "bodyBase64" -> body = in.base64LaterOrNull();
                case "timeoutMs" -> timeout = in.u64OrNull();
                case "redirectPolicy" -> redirects = RedirectPolicy.parse(in.string());
                case "requestId" -> requestId = in.string();
                case "streamResponse" -> stream = in.bool();
                default -> {}
            }
        }
        in.required("method", method);
        in.required("url", url);
        if (requestId == null && (stream || !dialect.open())) {
            throw ParamsReader.missing("requestId");
        }
        return new HttpRequestParams(
                method, url, headers, body, timeout, redirects, requestId == null ? "" : requestId, stream);
    }

    @Override
    public void writeDirect(MessageBuffer out) {
        out.ascii("{\"method\":");
        out.string(method);
        out.ascii(",\"url\":");
        out.string(url);
        out.ascii(",\"headers\":");
        MessageEncoder.value(out, g -> JsonFields.values(g, headers));
        body.ifPresent(bytes -> {
            out.ascii(",\"bodyBase64\":");
            bytes.writeDirect(out);
        });
        timeoutMs.ifPresent(millis -> {
            out.ascii(",\"timeoutMs\":");
            out.number(millis);
        });
        out.ascii(",\"redirectPolicy\":\"" + redirectPolicy.wire() + "\",\"requestId\":");
        out.string(requestId);
        out.ascii(",\"streamResponse\":");
        out.bool(streamResponse);
        out.write('}');
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        DirectWritable.copy(this, g);
    }
}
