package dev.execserver.server.transport.exec;

import dev.execserver.protocol.rpc.Base64Data;
import dev.execserver.protocol.rpc.InvalidBase64Exception;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MalformedMessageException;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.transport.files.FileRefusal;
import dev.execserver.server.transport.files.RequestBody;
import io.helidon.common.buffers.DataReader;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Optional;

/**
 * Body of a request for a command: params as JSON, alone or as the first part of a form whose second part is the
 * command's input. One thread at a time.
 */
final class ExecBody {

    /** Limit of the params. Larger input comes as a part of its own, which has no limit. */
    static final int MAX_PARAMS_BYTES = 1024 * 1024;

    private static final String JSON = "application/json";
    private static final String FORM = "multipart/form-data";
    private static final String PARAMS_PART = "params";
    private static final String INPUT_PART = "stdin";
    private static final String INLINE_INPUT = "stdinBase64";

    private final RequestBody body;
    /** The form that holds the input, if the input is not known yet. */
    private final Optional<MultipartBody> parts;

    private final JsonSlice params;
    private final Optional<InputStream> input;
    private boolean endFound;

    private ExecBody(RequestBody body, Optional<MultipartBody> parts, JsonSlice params, Optional<InputStream> input)
            throws IOException {
        this.body = body;
        this.parts = parts;
        this.params = params;
        this.input = input;
        if (parts.isEmpty()) {
            finish();
        }
    }

    /**
     * Reads the params.
     *
     * @param memory pays for them
     * @throws FileRefusal for a body of another form
     */
    static ExecBody read(ServerRequest request, AnswerMemory memory) {
        RequestBody.check(request, "a command needs a Content-Length, or a body in chunks");
        String type = request.headers().contains(HeaderNames.CONTENT_TYPE)
                ? request.headers().get(HeaderNames.CONTENT_TYPE).get()
                : "";
        String kind = type.toLowerCase(Locale.ROOT);
        if (!kind.startsWith(JSON) && !kind.startsWith(FORM)) {
            throw new FileRefusal(
                    Status.UNSUPPORTED_MEDIA_TYPE_415,
                    RpcException.invalidRequest("the Content-Type must be " + JSON + ", or " + FORM + " with the parts "
                            + PARAMS_PART + " and " + INPUT_PART));
        }
        long announced = request.headers().contentLength().orElse(MAX_PARAMS_BYTES);
        if (kind.startsWith(JSON) && announced > MAX_PARAMS_BYTES) {
            throw tooLarge();
        }
        memory.reserve(Math.min(announced, MAX_PARAMS_BYTES));
        try {
            RequestBody body = RequestBody.of(request);
            return kind.startsWith(JSON) ? json(body) : form(body, MultipartBody.of(type, body.stream()));
        } catch (IOException | UncheckedIOException | DataReader.InsufficientDataAvailableException e) {
            throw new CloseConnectionException("the params did not come whole", e);
        }
    }

    private static ExecBody json(RequestBody body) throws IOException {
        JsonSlice params = params(body.stream());
        return new ExecBody(body, Optional.empty(), params, inline(params));
    }

    private static ExecBody form(RequestBody body, MultipartBody parts) throws IOException {
        if (!parts.next().equals(Optional.of(PARAMS_PART))) {
            throw FileRefusal.badRequest("the first part must be " + PARAMS_PART + ", and hold the params as JSON");
        }
        JsonSlice params = params(parts);
        Optional<InputStream> inline = inline(params);
        Optional<String> second = parts.next();
        if (second.isEmpty()) {
            return new ExecBody(body, Optional.empty(), params, inline);
        }
        if (!second.get().equals(INPUT_PART)) {
            throw FileRefusal.badRequest("the second part must be " + INPUT_PART + ", the input of the command");
        }
        if (inline.isPresent()) {
            throw FileRefusal.badRequest(
                    "the input comes twice: as " + INLINE_INPUT + " and as the part " + INPUT_PART);
        }
        return new ExecBody(body, Optional.of(parts), params, Optional.of(parts));
    }

    private static JsonSlice params(InputStream in) throws IOException {
        byte[] bytes = in.readNBytes(MAX_PARAMS_BYTES + 1);
        if (bytes.length > MAX_PARAMS_BYTES) {
            throw tooLarge();
        }
        try {
            return JsonSlice.parse(bytes, 0, bytes.length);
        } catch (MalformedMessageException e) {
            throw FileRefusal.badRequest("the params are no JSON: " + e.getMessage());
        }
    }

    private static FileRefusal tooLarge() {
        return new FileRefusal(
                Status.REQUEST_ENTITY_TOO_LARGE_413,
                RpcException.invalidRequest("the params have more than " + MAX_PARAMS_BYTES
                        + " bytes; send long input as the part " + INPUT_PART + " of a " + FORM));
    }

    private static Optional<InputStream> inline(JsonSlice params) {
        ParamsReader in = ParamsReader.of(params, "CommandExecParams");
        Optional<Base64Data> encoded = Optional.empty();
        while (in.next()) {
            if (in.name().equals(INLINE_INPUT)) {
                encoded = in.base64LaterOrNull();
            }
        }
        try {
            return encoded.isPresent()
                    ? Optional.of(new ByteArrayInputStream(encoded.get().toByteArray()))
                    : Optional.empty();
        } catch (InvalidBase64Exception e) {
            throw new FileRefusal(
                    Status.BAD_REQUEST_400,
                    RpcException.invalidParams("invalid " + INLINE_INPUT + ": " + e.getMessage()));
        }
    }

    JsonSlice params() {
        return params;
    }

    /** Returns the input of the command. Do not close it. */
    Optional<InputStream> input() {
        return input;
    }

    /** Reads what is left of the body, without waiting if the input does not come with it. */
    void finish() throws IOException {
        if (parts.isPresent()) {
            parts.get().requireEnd();
        }
        long _ = body.stream().transferTo(OutputStream.nullOutputStream());
        endFound = body.endIsKnown();
    }

    /** Returns true if the body was read, and the next request can be found behind it. */
    boolean endFound() {
        return endFound;
    }
}
