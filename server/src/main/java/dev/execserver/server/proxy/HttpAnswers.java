package dev.execserver.server.proxy;

import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.server.proxy.http.HttpFields;
import dev.execserver.server.proxy.http.PeerInput;
import dev.execserver.server.proxy.rules.ProxyDestination;
import dev.execserver.server.proxy.rules.Refusal;
import dev.execserver.server.proxy.rules.RefusalAdvice;
import dev.execserver.server.proxy.rules.Ruling;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Answers that the proxy itself sends. Each ends the connection, except {@link #TUNNEL}. Stateless. */
final class HttpAnswers {

    /** Answer to a CONNECT whose tunnel is open. */
    static final byte[] TUNNEL = PeerInput.bytes("HTTP/1.1 200 OK\r\n\r\n");

    private HttpAnswers() {}

    static byte[] refused(ProxyDestination target, Ruling.Refused refused) {
        Refusal refusal = refused.refusal();
        return switch (target.protocol()) {
            case HTTP ->
                answer(
                        "403 Forbidden",
                        "application/json",
                        Optional.of(refusal.header()),
                        json(target, refusal, refused.advice()));
            default ->
                answer(
                        "403 Forbidden",
                        "text/plain; charset=utf-8",
                        Optional.of(refusal.header()),
                        (refusal.message() + "\n" + refused.advice().sentence() + "\n")
                                .getBytes(StandardCharsets.UTF_8));
        };
    }

    static byte[] text(String status, String text) {
        return answer(status, "text/plain", Optional.empty(), text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] json(ProxyDestination target, Refusal refusal, RefusalAdvice advice) {
        JsonWritable body = g -> {
            g.writeStartObject();
            g.writeStringField("status", "blocked");
            g.writeStringField("host", target.host());
            g.writeStringField("reason", refusal.reason());
            g.writeStringField("decision", refusal.decision());
            g.writeStringField("source", refusal.source());
            g.writeStringField("protocol", target.protocol().wire());
            g.writeNumberField("port", target.port());
            g.writeStringField("message", refusal.message());
            g.writeStringField("rule", advice.rule());
            if (advice.changeForCommand().isPresent()) {
                JsonFields.valueOrNull(g, "change", advice.changeForCommand());
            }
            g.writeStringField("explanation", advice.sentence());
            g.writeEndObject();
        };
        MessageBuffer out = new MessageBuffer();
        MessageEncoder.value(out, body);
        return Arrays.copyOfRange(out.array(), out.offset(), out.offset() + out.length());
    }

    private static byte[] answer(String status, String type, Optional<String> proxyError, byte[] body) {
        HttpFields fields = new HttpFields(List.of(new HttpFields.Field("content-type", type)));
        if (proxyError.isPresent()) {
            fields = fields.plus("x-proxy-error", proxyError.get());
        }
        byte[] head = fields.plus("content-length", Integer.toString(body.length))
                .plus("date", DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC)))
                .plus("connection", "close")
                .head("HTTP/1.1 " + status);
        byte[] all = Arrays.copyOf(head, head.length + body.length);
        System.arraycopy(body, 0, all, head.length, body.length);
        return all;
    }
}
