package dev.execserver.server.transport.files;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MalformedMessageException;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerRequestHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Sandbox of a request, sent in headers and not in the query: the id of a session lets its owner take the session over,
 * and queries end up in logs.
 *
 * @param session id of a session
 * @param sandbox the context in the form of the {@code sandbox} member of protocol requests
 */
record SandboxHeaders(Optional<String> session, Optional<JsonSlice> sandbox) {

    static final HeaderName SESSION = HeaderNames.create("Exec-Server-Session");
    static final HeaderName SANDBOX = HeaderNames.create(FileEndpoint.SANDBOX_HEADER);

    /** @throws FileRefusal 400 for a header that occurs twice, or a context that is no JSON in ASCII */
    static SandboxHeaders of(ServerRequestHeaders headers) {
        return new SandboxHeaders(
                single(headers, SESSION), single(headers, SANDBOX).map(SandboxHeaders::json));
    }

    private static Optional<String> single(ServerRequestHeaders headers, HeaderName name) {
        if (!headers.contains(name)) {
            return Optional.empty();
        }
        List<String> values = headers.get(name).allValues();
        if (values.size() != 1 || values.getFirst().isBlank()) {
            throw FileRefusal.badRequest("the header " + name.defaultCase() + " must be there once, and not be empty");
        }
        return Optional.of(values.getFirst().strip());
    }

    /**
     * Parses the context. It must be ASCII: decoders of headers treat other bytes differently, and a policy must not
     * depend on that.
     */
    private static JsonSlice json(String value) {
        if (!StandardCharsets.US_ASCII.newEncoder().canEncode(value)) {
            throw FileRefusal.badRequest(
                    "the header " + SANDBOX.defaultCase() + " must be ASCII; write other characters as \\uXXXX");
        }
        byte[] bytes = value.getBytes(StandardCharsets.US_ASCII);
        try {
            return JsonSlice.parse(bytes, 0, bytes.length);
        } catch (MalformedMessageException e) {
            throw FileRefusal.badRequest("the header " + SANDBOX.defaultCase() + " is no JSON: " + e.getMessage());
        }
    }
}
