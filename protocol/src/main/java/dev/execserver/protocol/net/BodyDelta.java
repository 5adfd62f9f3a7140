package dev.execserver.protocol.net;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Base64Data;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.DirectWritable;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.Optional;

/**
 * Params of the notification {@code http/request/bodyDelta}.
 *
 * @param seq counts from 1 within the stream
 * @param delta the next bytes of the body; empty in the last notification
 * @param done true in the last notification of the stream
 * @param error reason why the body is incomplete; only in the last notification
 */
public record BodyDelta(String requestId, long seq, Base64Data delta, boolean done, Optional<String> error)
        implements DirectWritable {

    /** Returns the last notification of a stream. */
    public static BodyDelta last(String requestId, long seq, Optional<String> error) {
        return new BodyDelta(requestId, seq, Base64Data.ofBytes(new byte[0]), true, error);
    }

    /** Errors are those of {@link ParamsReader}. */
    public static BodyDelta read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "HttpRequestBodyDeltaNotification");
        String requestId = null;
        Long seq = null;
        Base64Data delta = null;
        boolean done = false;
        Optional<String> error = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "requestId" -> requestId = in.string();
                case "seq" -> seq = in.u64();
                case "deltaBase64" -> delta = in.base64Later();
                case "done" -> done = in.bool();
                case "error" -> error = in.stringOrNull();
                default -> {}
            }
        }
        return new BodyDelta(
                in.required("requestId", requestId),
                in.required("seq", seq),
                in.required("deltaBase64", delta),
                done,
                error);
    }

    @Override
    public void writeDirect(MessageBuffer out) {
        out.ascii("{\"requestId\":");
        out.string(requestId);
        out.ascii(",\"seq\":");
        out.number(seq);
        out.ascii(",\"deltaBase64\":");
        delta.writeDirect(out);
        out.ascii(",\"done\":");
        out.bool(done);
        out.ascii(",\"error\":");
        if (error.isPresent()) {
            out.string(error.get());
        } else {
            out.ascii("null");
        }
        out.write('}');
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        DirectWritable.copy(this, g);
    }
}
