package dev.execserver.server.transport.console;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The page and its files, which were built from clients/console and are part of the package. They are the same for everybody and hold
 * no secret. Immutable.
 */
final class ConsoleFiles {
    static final ConsoleFiles OF_PACKAGE = new ConsoleFiles();

    /**
     * The page loads, runs and connects to nothing but what this server has, and stands in no frame. Pictures of files that people look
     * at are made by the page (blob).
     */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
            + "img-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final Map<HeaderName, String> HEADERS = Map.of(
            HeaderNames.create("Content-Security-Policy"),
            POLICY,
            HeaderNames.create("X-Content-Type-Options"),
            "nosniff",
            HeaderNames.create("X-Frame-Options"),
            "DENY",
            HeaderNames.create("Referrer-Policy"),
            "no-referrer",
            HeaderNames.create("Cross-Origin-Opener-Policy"),
            "same-origin",
            HeaderNames.create("Cross-Origin-Resource-Policy"),
            "same-origin",
            HeaderNames.CACHE_CONTROL,
            "no-cache");

    private final Map<String, Resource> resources = new LinkedHashMap<>();

    private record Resource(String type, byte[] content, String etag) {}

    private ConsoleFiles() {
        add(ConsoleEndpoint.PATH, "index.html", "text/html; charset=utf-8");
        add(ConsoleEndpoint.PATH + "/console.js", "console.js", "text/javascript; charset=utf-8");
        add(ConsoleEndpoint.PATH + "/console.css", "console.css", "text/css; charset=utf-8");
        add(ConsoleEndpoint.PATH + "/licences.txt", "licences.txt", "text/plain; charset=utf-8");
    }

    private void add(String path, String name, String type) {
        byte[] content = read(name);
        resources.put(path, new Resource(type, content, etag(content)));
    }

    private static byte[] read(String name) {
        try (InputStream in = ConsoleFiles.class.getResourceAsStream("/dev/execserver/server/console/" + name)) {
            if (in == null) {
                throw new IllegalStateException("the package lacks the file " + name + " of the console");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String etag(byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return '"' + Base64.getUrlEncoder().withoutPadding().encodeToString(digest) + '"';
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    void answer(String path, ServerRequest request, ServerResponse response) {
        HEADERS.forEach((name, value) -> response.header(HeaderValues.create(name, value)));
        Resource resource = resources.get(path);
        if (resource == null) {
            response.status(Status.NOT_FOUND_404).send();
            return;
        }
        response.header(HeaderValues.create(HeaderNames.ETAG, resource.etag()));
        if (request.headers().contains(HeaderNames.IF_NONE_MATCH)
                && request.headers().get(HeaderNames.IF_NONE_MATCH).get().contains(resource.etag())) {
            response.status(Status.NOT_MODIFIED_304).send();
        } else {
            response.header(HeaderNames.CONTENT_TYPE, resource.type()).send(resource.content());
        }
    }
}
