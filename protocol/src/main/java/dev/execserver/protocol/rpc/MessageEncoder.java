package dev.execserver.protocol.rpc;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Writes complete messages as compact JSON with the member order of the reference server and without {@code jsonrpc}.
 * Each method appends exactly one message to the buffer, which the caller has emptied. When a value throws while it is
 * written, the buffer contains half a message and must be reset. Stateless; the buffer belongs to the caller.
 */
public final class MessageEncoder {

    private MessageEncoder() {}

    public static void response(MessageBuffer out, RequestId id, JsonWritable result) {
        out.ascii("{\"id\":");
        id(out, id);
        out.ascii(",\"result\":");
        value(out, result);
        out.write('}');
    }

    /** Writes a response with warnings beside its result, as this server adds them on demand. */
    public static void response(MessageBuffer out, RequestId id, JsonWritable result, List<String> warnings) {
        if (warnings.isEmpty()) {
            response(out, id, result);
            return;
        }
        out.ascii("{\"id\":");
        id(out, id);
        out.ascii(",\"result\":");
        value(out, result);
        out.ascii(",\"warnings\":[");
        for (int i = 0; i < warnings.size(); i++) {
            out.ascii(i == 0 ? "" : ",");
            out.string(warnings.get(i));
        }
        out.ascii("]}");
    }

    public static void error(MessageBuffer out, RequestId id, RpcException error) {
        out.ascii("{\"error\":");
        errorObject(out, error);
        out.ascii(",\"id\":");
        id(out, id);
        out.write('}');
    }

    /** Writes only the value of the member {@code error}. */
    public static void errorObject(MessageBuffer out, RpcException error) {
        out.ascii("{\"code\":");
        out.number(error.code());
        out.ascii(",\"message\":");
        out.string(error.message());
        error.data().ifPresent(data -> {
            out.ascii(",\"data\":");
            value(out, data);
        });
        out.write('}');
    }

    public static void notification(MessageBuffer out, String method, JsonWritable params) {
        out.ascii("{\"method\":");
        out.string(method);
        out.ascii(",\"params\":");
        value(out, params);
        out.write('}');
    }

    public static void request(MessageBuffer out, RequestId id, String method, JsonWritable params) {
        out.ascii("{\"id\":");
        id(out, id);
        out.ascii(",\"method\":");
        out.string(method);
        out.ascii(",\"params\":");
        value(out, params);
        out.write('}');
    }

    /** Appends one JSON value. */
    public static void value(MessageBuffer out, JsonWritable value) {
        if (value instanceof DirectWritable direct) {
            direct.writeDirect(out);
            return;
        }
        try (JsonGenerator g = new WellFormedGenerator(Json.GENERATORS.createGenerator(out))) {
            value.writeTo(g);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
    }

    private static void id(MessageBuffer out, RequestId id) {
        switch (id) {
            case RequestId.Text text -> out.string(text.value());
            case RequestId.Number number -> out.number(number.value());
            case RequestId.Unknown unused -> out.ascii("null");
        }
    }
}
