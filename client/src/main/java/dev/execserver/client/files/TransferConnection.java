package dev.execserver.client.files;

import dev.execserver.client.transport.ClientThreads;
import dev.execserver.client.transport.Endpoint;
import dev.execserver.client.transport.HttpProxy;
import dev.execserver.client.transport.UpgradeHeaders;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.text.VisibleText;
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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/** Sends requests for files and commands of one server, with its token. Thread-safe. {@code lock} guards the client of the JDK. */
public final class TransferConnection implements AutoCloseable {

    private final ReentrantLock lock = new ReentrantLock();
    private final Endpoint endpoint;
    private final Supplier<String> token;
    private final Duration stallTimeout;
    private final HttpClient.Builder builder;
    private Optional<HttpClient> http = Optional.empty();

    TransferConnection(
            Endpoint endpoint,
            Supplier<String> token,
            Optional<SSLContext> tls,
            Optional<HttpProxy> proxy,
            Duration connectTimeout,
            Duration stallTimeout) {
        this.stallTimeout = stallTimeout;
        this.builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .proxy(proxy.map(HttpProxy::selector).orElse(HttpClient.Builder.NO_PROXY))
                .executor(task -> ClientThreads.virtual("exec-client-http", task))
                .connectTimeout(connectTimeout);
        tls.ifPresent(builder::sslContext);
        this.endpoint = endpoint;
        this.token = token;
    }

    /** Returns a request for a file. Throws IOException when there is no token for it. */
    HttpRequest.Builder request(PathUri path) throws IOException {
        // Encode as a URI, then as a form. A form writes a blank as a plus, but a URI has no blanks.
        return request("/files?path=" + URLEncoder.encode(path.toUri(), StandardCharsets.UTF_8));
    }

    private HttpRequest.Builder request(String target) throws IOException {
        String scheme = endpoint.tls() ? "https://" : "http://";
        return HttpRequest.newBuilder(URI.create(scheme + endpoint.authority() + endpoint.base() + target))
                .header("Authorization", "Bearer " + UpgradeHeaders.supplied(token));
    }

    /** Whole answer to a request. */
    @SuppressWarnings("ArrayRecordComponent") // its receiver alone has it
    public record Reply(int status, byte[] body) {}

    /**
     * Sends the body with POST and waits for the whole answer, however long it takes. An interrupt ends the connection.
     *
     * @param maxBytes limit of the answer
     */
    public Reply post(String target, String type, byte[] body, long maxBytes) throws IOException, InterruptedException {
        HttpRequest request = request(target)
                .header("Content-Type", type)
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        HttpResponse<InputStream> response;
        try {
            response = http().send(request, HttpResponse.BodyHandlers.ofInputStream());
        } catch (IOException e) {
            throw failure(e);
        }
        try (InputStream in = response.body()) {
            byte[] answer = in.readNBytes((int) Math.min(maxBytes + 1, Integer.MAX_VALUE - Long.BYTES));
            if (answer.length > maxBytes) {
                throw new IOException("the answer has more than " + maxBytes + " bytes");
            }
            return new Reply(response.statusCode(), answer);
        }
    }

    /** Does the same as {@link #send(HttpRequest.Builder, BodyPublisher)} for a request without a body. */
    HttpResponse<InputStream> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return answer(request.build(), new ProgressBody(BodyPublishers.noBody()));
    }

    /**
     * Sends the body with PUT and waits for the header of the response.
     *
     * @throws TransferStalledException when nothing moves; reading the response may throw it too
     * @throws IOException when the connection fails, or would carry the token to another machine without encryption
     */
    HttpResponse<InputStream> send(HttpRequest.Builder request, BodyPublisher body)
            throws IOException, InterruptedException {
        ProgressBody moving = new ProgressBody(body);
        return answer(request.PUT(moving).build(), moving);
    }

    private HttpResponse<InputStream> answer(HttpRequest request, ProgressBody body)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<InputStream>> answer =
                http().sendAsync(request, unused -> new TimedBody(stallTimeout));
        boolean answered = false;
        try {
            for (long left = stallTimeout.toNanos(); left > 0; left = stallTimeout.toNanos() - body.stillNanos()) {
                Optional<HttpResponse<InputStream>> response = within(answer, left);
                if (response.isPresent()) {
                    answered = true;
                    return response.get();
                }
            }
            throw new TransferStalledException(stallTimeout);
        } finally {
            if (!answered) {
                answer.cancel(true);
            }
        }
    }

    /** Returns the response; empty when the time has passed. */
    private static Optional<HttpResponse<InputStream>> within(
            CompletableFuture<HttpResponse<InputStream>> answer, long nanos) throws IOException, InterruptedException {
        try {
            return Optional.of(answer.get(nanos, TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        }
    }

    /** Cleans the message. The client of the JDK repeats status lines and headers of the server that it cannot read. */
    private static IOException failure(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        return cause instanceof IOException failure && VisibleText.harmless(message)
                ? failure
                : new IOException(VisibleText.oneLine(message), cause);
    }

    /**
     * Returns the client, which is made when it is first needed, because most programs transfer nothing. Fails rather
     * than send the token to another machine without encryption.
     */
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
