package dev.execserver.it.support;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A collector for OTLP over HTTP with protobuf: it keeps the spans that it is sent. It reads only the fields that tests need, see
 * opentelemetry/proto/trace/v1/trace.proto.
 */
public final class OtlpCollector implements AutoCloseable {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int FIXED32 = 5;

    private final HttpServer server;
    private final List<Span> spans = new CopyOnWriteArrayList<>();
    private final List<String> headers = new CopyOnWriteArrayList<>();

    /** @param parent empty for the first span of a trace */
    public record Span(String name, String traceId, String spanId, String parent, boolean failed) {}

    public OtlpCollector() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/v1/traces", this::take);
        server.start();
    }

    /** Value for OTEL_EXPORTER_OTLP_ENDPOINT. */
    public String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    public List<Span> spans() {
        return List.copyOf(spans);
    }

    /** Values of the header Authorization. */
    public List<String> authorizations() {
        return List.copyOf(headers);
    }

    public Optional<Span> find(String name, String traceId) {
        return spans.stream()
                .filter(span -> span.name().equals(name) && span.traceId().equals(traceId))
                .findFirst();
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                    .ifPresent(headers::add);
            ByteBuffer request = ByteBuffer.wrap(exchange.getRequestBody().readAllBytes());
            each(request, 1, ofResource -> each(ofResource, 2, ofScope -> each(ofScope, 2, this::add)));
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private void add(ByteBuffer span) {
        List<String> parts = new ArrayList<>(List.of("", "", "", ""));
        boolean[] failed = {false};
        fields(span, (number, value) -> {
            switch (number) {
                case 1 -> parts.set(1, hex(value));
                case 2 -> parts.set(2, hex(value));
                case 4 -> parts.set(3, hex(value));
                case 5 -> parts.set(0, StandardCharsets.UTF_8.decode(value).toString());
                case 15 -> failed[0] = value.hasRemaining();
                default -> {}
            }
        });
        spans.add(new Span(parts.get(0), parts.get(1), parts.get(2), parts.get(3), failed[0]));
    }

    private static String hex(ByteBuffer value) {
        byte[] bytes = new byte[value.remaining()];
        value.get(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static void each(ByteBuffer message, int wanted, Consumer<ByteBuffer> taker) {
        fields(message, (number, value) -> {
            if (number == wanted) {
                taker.accept(value);
            }
        });
    }

    /** Calls the taker with the number and the bytes of each field. Numbers come as no bytes. */
    private static void fields(ByteBuffer message, BiConsumer<Integer, ByteBuffer> taker) {
        while (message.hasRemaining()) {
            int tag = (int) varint(message);
            int length = switch (tag & 7) {
                case VARINT -> {
                    varint(message);
                    yield 0;
                }
                case FIXED64 -> Long.BYTES;
                case FIXED32 -> Integer.BYTES;
                default -> (int) varint(message);
            };
            ByteBuffer value = message.slice(message.position(), length).order(ByteOrder.LITTLE_ENDIAN);
            message.position(message.position() + length);
            taker.accept(tag >>> 3, value);
        }
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        int shift = 0;
        byte next;
        do {
            next = in.get();
            value |= (long) (next & 127) << shift;
            shift += 7;
        } while (next < 0);
        return value;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
