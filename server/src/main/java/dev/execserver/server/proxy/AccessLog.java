package dev.execserver.server.proxy;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One line for each thing that a process has asked its proxy for. No bodies, no paths, no credentials. Stateless. */
final class AccessLog {

    /** Level {@code info}. */
    static final String NAME = "execserver.access.network";

    private static final Logger LOG = LoggerFactory.getLogger(NAME);
    private static final int MAX_TEXT = 256;

    private AccessLog() {}

    static void write(String processId, Exchange exchange) {
        if (!LOG.isInfoEnabled()) {
            return;
        }
        Target target = exchange.target();
        LOG.info(
                "process={} protocol={} host={} port={} method={} outcome={} rule={} sent={} received={} ms={}",
                quoted(processId),
                target.protocol().wire(),
                quoted(target.host()),
                target.port(),
                quoted(target.method().orElse("-")),
                quoted(exchange.outcome()),
                quoted(exchange.rule()),
                exchange.sent(),
                exchange.received(),
                exchange.millis());
    }

    /** Something came that named no target that we could read. */
    static void unreadable(String processId, String why) {
        LOG.info("process={} outcome={}", quoted(processId), quoted("bad request: " + why));
    }

    /** Process ids and reasons are the client's words: nothing in them may look like another line or another field. */
    private static String quoted(String text) {
        StringBuilder safe = new StringBuilder("\"");
        for (int i = 0; i < Math.min(text.length(), MAX_TEXT); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                safe.append('\\').append(c);
            } else if (c < ' ' || c >= 0x7f) {
                safe.append(String.format("\\u%04x", (int) c));
            } else {
                safe.append(c);
            }
        }
        return safe.append('"').toString();
    }
}
