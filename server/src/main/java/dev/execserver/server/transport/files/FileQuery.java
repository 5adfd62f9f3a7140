package dev.execserver.server.transport.files;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.RpcException;
import io.helidon.http.HeaderName;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * Query of a request: {@code path=} with a native path or a {@code file:} URI, percent-encoded. The bytes of a native
 * path need not be UTF-8. Stateless.
 */
final class FileQuery {

    /**
     * Parameters that belong into a header. A request with one of them is refused: without it the request would mean
     * something else.
     */
    private static final Map<String, HeaderName> HEADERS =
            Map.of("session", SandboxHeaders.SESSION, "sandbox", SandboxHeaders.SANDBOX);

    private FileQuery() {}

    /** @throws FileRefusal 400 for a query that is not exactly one readable path */
    static PathUri path(String rawQuery) {
        Optional<byte[]> path = Optional.empty();
        for (String part : rawQuery.isEmpty() ? new String[0] : rawQuery.split("&", -1)) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? part : part.substring(0, equals);
            if (HEADERS.containsKey(name)) {
                throw FileRefusal.badRequest("`" + name + "` does not belong into the query; send it in the header "
                        + HEADERS.get(name).defaultCase());
            }
            if (!name.equals("path") || path.isPresent()) {
                throw FileRefusal.badRequest("the query must be one `path=`; `" + part + "` is too much");
            }
            path = Optional.of(decoded(equals < 0 ? "" : part.substring(equals + 1)));
        }
        byte[] bytes =
                path.orElseThrow(() -> FileRefusal.badRequest("the query must say which file: /files?path=/the/file"));
        try {
            return bytes.length > 0 && bytes[0] == '/'
                    ? PathUri.ofNative(bytes)
                    : PathUri.parse(new String(bytes, StandardCharsets.UTF_8), Dialect.STRICT)
                            .requireLinux("path");
        } catch (RpcException e) {
            throw FileRefusal.badRequest(e.message());
        }
    }

    /** Decodes percent signs. A plus stands for itself, because this is a path and not a form. */
    static byte[] decoded(String text) {
        byte[] raw = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream(raw.length);
        for (int i = 0; i < raw.length; i++) {
            if (raw[i] != '%') {
                out.write(raw[i]);
            } else if (i + 2 < raw.length && HexFormat.isHexDigit(raw[i + 1]) && HexFormat.isHexDigit(raw[i + 2])) {
                out.write(HexFormat.fromHexDigits(new String(raw, i + 1, 2, StandardCharsets.US_ASCII)));
                i += 2;
            } else {
                throw FileRefusal.badRequest("`path` has a percent sign without two hexadecimal digits");
            }
        }
        return out.toByteArray();
    }
}
