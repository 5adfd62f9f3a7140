package dev.execserver.client.files;

import dev.execserver.client.transport.ClientThreads;
import dev.execserver.client.transport.Endpoint;
import dev.execserver.protocol.paths.PathUri;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;

/**
 * Downloads and uploads files of any size in constant memory. The server does this only with authentication, and only
 * under a literal address or a name that its {@code --allowed-hosts} lists. Thread-safe; nothing is repeated. {@code lock} guards the
 * client of the JDK.
 */
public final class FileTransfers implements AutoCloseable {

    private static final int ERROR_TEXT_BYTES = 16 << 10;

    private final ReentrantLock lock = new ReentrantLock();
    private final Endpoint endpoint;
    private final String token;
    private final HttpClient.Builder builder;
    private Optional<HttpClient> http = Optional.empty();

    /** @param connectTimeout for each connection */
    public FileTransfers(Endpoint endpoint, String token, Optional<SSLContext> tls, Duration connectTimeout) {
        this.builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .proxy(HttpClient.Builder.NO_PROXY)
                .executor(task -> ClientThreads.virtual("exec-client-http", task))
                .connectTimeout(connectTimeout);
        tls.ifPresent(builder::sslContext);
        this.endpoint = endpoint;
        this.token = token;
    }

    /** Made when it is first needed: most clients transfer nothing. The token goes out encrypted or stays here. */
    private HttpClient http() throws IOException {
        if (!endpoint.tls() && !InetAddress.getByName(endpoint.host()).isLoopbackAddress()) {
            throw new IOException("refusing to send the bearer token over plain http:// to " + endpoint.host()
                    + ", which is not this machine; use wss://");
        }
        lock.lock();
        try {
            http = http.or(() -> Optional.of(builder.build()));
            return http.get();
        } finally {
            lock.unlock();
        }
    }

    /**
     * A file that is being downloaded.
     *
     * @param bytes length of what follows
     * @param tag names the state of the file, for {@link #replace}
     * @param content to be closed
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

    /** As {@link #open(PathUri)}, from this byte on. */
    public Download open(PathUri path, long from) throws IOException, InterruptedException {
        return open(request(path).header("Range", "bytes=" + from + "-").GET());
    }

    private Download open(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<InputStream> response = http().send(request.build(), BodyHandlers.ofInputStream());
        check(response);
        return new Download(
                response.headers().firstValueAsLong("content-length").orElse(-1),
                response.headers().firstValue("etag").orElse(""),
                response.body());
    }

    /** Downloads into a local file, which is replaced when it is complete. */
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

    /** Uploads a local file; what is there before stays until everything has arrived. Returns the new tag. */
    public String upload(Path from, PathUri to) throws IOException, InterruptedException {
        return put(request(to), BodyPublishers.ofFile(from));
    }

    /** As {@link #upload(Path, PathUri)}, of what a stream gives: exactly so many bytes. */
    public String upload(InputStream from, long bytes, PathUri to) throws IOException, InterruptedException {
        BodyPublisher content = BodyPublishers.ofInputStream(() -> from);
        return put(request(to), bytes == 0 ? BodyPublishers.noBody() : BodyPublishers.fromPublisher(content, bytes));
    }

    /** As {@link #upload(Path, PathUri)}, of a file that must not exist yet. */
    public String create(Path from, PathUri to) throws IOException, InterruptedException {
        return put(request(to).header("If-None-Match", "*"), BodyPublishers.ofFile(from));
    }

    /** As {@link #upload(Path, PathUri)}, in place of exactly the state that the tag names. */
    public String replace(Path from, PathUri to, String tag) throws IOException, InterruptedException {
        return put(request(to).header("If-Match", tag), BodyPublishers.ofFile(from));
    }

    private String put(HttpRequest.Builder request, BodyPublisher body) throws IOException, InterruptedException {
        HttpResponse<InputStream> response =
                http().send(request.expectContinue(true).PUT(body).build(), BodyHandlers.ofInputStream());
        check(response);
        response.body().close();
        return response.headers().firstValue("etag").orElse("");
    }

    private HttpRequest.Builder request(PathUri path) {
        // A URI and then the encoding of a form, in which a blank is a plus: a URI has no blanks.
        String query = URLEncoder.encode(path.toUri(), StandardCharsets.UTF_8);
        String scheme = endpoint.tls() ? "https://" : "http://";
        return HttpRequest.newBuilder(URI.create(scheme + endpoint.authority() + "/files?path=" + query))
                .header("Authorization", "Bearer " + token);
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
        lock.lock();
        try {
            http.ifPresent(HttpClient::shutdownNow);
        } finally {
            lock.unlock();
        }
    }
}
