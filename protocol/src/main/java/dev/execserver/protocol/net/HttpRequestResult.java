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

/**
 * Result of {@code http/request}.
 *
 * @param status status code, 100 to 999
 * @param headers repeated fields remain separate
 * @param body empty when it is streamed; neither decoded nor checked when received
 */
public record HttpRequestResult(int status, List<HttpHeader> headers, Base64Data body) implements DirectWritable {

    /** Bytes for the members around the body. */
    private static final int SYNTAX_BYTES = 64;

    public HttpRequestResult {
        headers = List.copyOf(headers);
    }

    /** Errors are those of {@link ParamsReader}. */
    public static HttpRequestResult read(JsonSlice result, Dialect dialect) {
        ParamsReader in = ParamsReader.of(result, "HttpRequestResponse");
        Integer status = null;
        List<HttpHeader> headers = null;
        Base64Data body = null;
        while (in.next()) {
            switch (in.name()) {
                case "status" -> status = in.integer(0, 65_535, "u16");
                case "headers" -> headers = in.structs("HttpHeader", HttpHeader::read);
                case "bodyBase64" -> body = in.base64Later();
                default -> {}
            }
        }
        return new HttpRequestResult(
                in.required("status", status), in.required("headers", headers), in.required("bodyBase64", body));
    }

    @Override
    public void writeDirect(MessageBuffer out) {
        out.ascii("{\"status\":");
        out.number(status);
        out.ascii(",\"headers\":");
        MessageEncoder.value(out, g -> JsonFields.values(g, headers));
        out.expect(MessageBuffer.base64Length(body.size()) + SYNTAX_BYTES);
        out.ascii(",\"bodyBase64\":");
        body.writeDirect(out);
        out.write('}');
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        DirectWritable.copy(this, g);
    }
}
