package dev.execserver.client.files;

import dev.execserver.client.transport.Endpoint;
import dev.execserver.client.transport.HttpProxy;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.SandboxContext;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * Downloads and uploads files of any size in constant memory. A transfer that stands still fails after a time limit.
 * The server offers transfers only with authentication, and only under a literal address or a name that its
 * {@code --allowed-hosts} lists. Thread-safe; nothing is repeated.
 */
public final class FileTransfers implements AutoCloseable {

    private static final int ERROR_TEXT_BYTES = 16 << 10;
    private static final String SESSION_HEADER = "Exec-Server-Session";
    private static final String SANDBOX_HEADER = "Exec-Server-Sandbox";

    private final TransferConnection connection;
    private final Map<String, String> headers;

    private FileTransfers(TransferConnection connection, Map<String, String> headers) {
        this.connection = connection;
        this.headers = headers;
    }

    /**
     * Makes no connection before the first transfer.
     *
     * @param connectTimeout for each connection
     * @param stallTimeout longest time for which a transfer may stand still; then it fails with a
     *     {@link TransferStalledException}
     */
    public FileTransfers(
            Endpoint endpoint,
            Supplier<String> token,
            Optional<SSLContext> tls,
            Duration connectTimeout,
            Duration stallTimeout) {
        this(endpoint, token, tls, Optional.empty(), connectTimeout, stallTimeout);
    }

    /** Does the same, with a proxy for the connections to a server with TLS. */
    public FileTransfers(
            Endpoint endpoint,
            Supplier<String> token,
            Optional<SSLContext> tls,
            Optional<HttpProxy> proxy,
            Duration connectTimeout,
            Duration stallTimeout) {
        this(new TransferConnection(endpoint, token, tls, proxy, connectTimeout, stallTimeout), Map.of());
    }

    /**
     * Returns transfers in a sandbox: the server refuses those that its policy forbids. Closing this closes them too.
     *
     * @param sessionId session whose file helpers are used; without one each transfer has to start its own helper
     */
    public FileTransfers sandboxed(SandboxContext sandbox, Optional<String> sessionId) {
        Map<String, String> more = new HashMap<>();
        more.put(SANDBOX_HEADER, AsciiJson.of(sandbox));
        sessionId.ifPresent(id -> more.put(SESSION_HEADER, id));
        return new FileTransfers(connection, Map.copyOf(more));
    }

    /** Returns the connection to the server, for requests beside files. Closing this closes it. */
    public TransferConnection connection() {
        return connection;
    }

    /**
     * Running download of a file.
     *
     * @param bytes length of the content
     * @param tag names the version of the file, for {@link #replace}
     * @param content close it
     */
    public record Download(long bytes, String tag, InputStream content) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            content.close();
        }
    }

    /**
     * Begins a download.
     *
     * @throws TransferFailedException when the server refuses
     * @throws IOException when the connection fails
     */
    public Download open(PathUri path) throws IOException, InterruptedException {
        return open(request(path).GET());
    }

    /** Does the same as {@link #open(PathUri)}, from this byte on. */
    public Download open(PathUri path, long from) throws IOException, InterruptedException {
        return open(request(path).header("Range", "bytes=" + from + "-").GET());
    }

    private Download open(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<InputStream> response = connection.send(request);
        check(response);
        return new Download(
                response.headers().firstValueAsLong("content-length").orElse(-1),
                response.headers().firstValue("etag").orElse(""),
                response.body());
    }

    /** Downloads into a local file, which is replaced when the download is complete. */
    public void download(PathUri from, Path to) throws IOException, InterruptedException {
        Path directory = Optional.ofNullable(to.toAbsolutePath().getParent()).orElseThrow();
        Path part = Files.createTempFile(directory, ".exec-client-", ".part");
        try (Download download = open(from)) {
            long count = Files.copy(download.content(), part, StandardCopyOption.REPLACE_EXISTING);
            if (count != download.bytes()) {
                throw new IOException("the download has " + count + " bytes instead of " + download.bytes());
            }
            Files.move(part, to, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            boolean unused = Files.deleteIfExists(part);
        }
    }

    /** Uploads a local file. The old file stays until the new one has arrived completely. Returns the new tag. */
    public String upload(Path from, PathUri to) throws IOException, InterruptedException {
        return put(request(to), BodyPublishers.ofFile(from));
    }

    /** Does the same as {@link #upload(Path, PathUri)} for exactly this many bytes of a stream. */
    public String upload(InputStream from, long bytes, PathUri to) throws IOException, InterruptedException {
        BodyPublisher content = BodyPublishers.ofInputStream(() -> from);
        return put(request(to), bytes == 0 ? BodyPublishers.noBody() : BodyPublishers.fromPublisher(content, bytes));
    }

    /** Does the same as {@link #upload(Path, PathUri)} for a file that must not exist yet. */
    public String create(Path from, PathUri to) throws IOException, InterruptedException {
        return put(request(to).header("If-None-Match", "*"), BodyPublishers.ofFile(from));
    }

    /** Does the same as {@link #upload(Path, PathUri)}, but replaces only the version that the tag names. */
    public String replace(Path from, PathUri to, String tag) throws IOException, InterruptedException {
        return put(request(to).header("If-Match", tag), BodyPublishers.ofFile(from));
    }

    private String put(HttpRequest.Builder request, BodyPublisher body) throws IOException, InterruptedException {
        HttpResponse<InputStream> response = connection.send(request.expectContinue(true), body);
        check(response);
        response.body().close();
        return response.headers().firstValue("etag").orElse("");
    }

    private HttpRequest.Builder request(PathUri path) throws IOException {
        HttpRequest.Builder request = connection.request(path);
        headers.forEach(request::header);
        return request;
    }

    private static void check(HttpResponse<InputStream> response) throws IOException {
        if (response.statusCode() / 100 == 2) {
            return;
        }
        try (InputStream body = response.body()) {
            String text = new String(body.readNBytes(ERROR_TEXT_BYTES), StandardCharsets.UTF_8).strip();
            throw new TransferFailedException(response.statusCode(), text);
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
