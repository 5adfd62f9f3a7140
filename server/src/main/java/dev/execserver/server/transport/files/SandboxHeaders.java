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
 * What a request says about its sandbox. In headers and not in the query: whoever knows the id of a session can take the
 * session over, and queries end up in logs.
 *
 * @param session id of a session
 * @param sandbox the context, as the {@code sandbox} member of requests of the protocol
 */
record SandboxHeaders(Optional<String> session, Optional<JsonSlice> sandbox) {

    static final HeaderName SESSION = HeaderNames.create("Exec-Server-Session");
    static final HeaderName SANDBOX = HeaderNames.create(FileEndpoint.SANDBOX_HEADER);

    /** @throws FileRefusal 400 for a header that is there twice, or a context that is no JSON in ASCII */
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

    /** How bytes above ASCII come out of a header is nothing that a policy may depend on. */
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
