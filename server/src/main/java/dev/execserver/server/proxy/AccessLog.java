package dev.execserver.server.proxy;

import dev.execserver.protocol.net.NetworkProxyConfig;
import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.access.AccessField;
import dev.execserver.server.access.AccessKind;
import dev.execserver.server.access.ProcessTrail;
import dev.execserver.server.proxy.rules.ProxyDestination;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Access log of one process's proxy: one line for each request, with the client's audit metadata about the process. No
 * bodies, no paths, no credentials. Immutable.
 */
final class AccessLog {

    /** Name of the logger. Lines have level {@code info}. */
    static final String NAME = "execserver.access.network";

    private static final Logger LOG = LoggerFactory.getLogger(NAME);

    private final ProcessTrail trail;
    private final String process;
    private final String audit;

    /** @throws dev.execserver.protocol.rpc.RpcException -32602 if the audit metadata are not an object */
    AccessLog(ProcessTrail trail, NetworkProxyConfig config) {
        this.trail = trail;
        this.process = LogText.quoted(trail.processId());
        this.audit = AuditFields.of(config);
    }

    void write(Exchange exchange) {
        trail.write(AccessKind.NETWORK_ACCESSED, event -> describe(exchange, event));
        if (!LOG.isInfoEnabled()) {
            return;
        }
        ProxyDestination target = exchange.target();
        LOG.info(
                "process={} protocol={} host={} port={} method={} outcome={} rule={} sent={} received={} ms={}{}{}",
                process,
                target.protocol().wire(),
                LogText.quoted(target.host()),
                target.port(),
                LogText.quoted(target.method().orElse("-")),
                LogText.quoted(exchange.outcome()),
                LogText.quoted(exchange.rule()),
                exchange.sent(),
                exchange.received(),
                exchange.millis(),
                exchange.program()
                        .map(path -> " program=" + LogText.quoted(path))
                        .orElse(""),
                audit);
    }

    private void describe(Exchange exchange, AccessEvent event) {
        ProxyDestination target = exchange.target();
        event.put(AccessField.PROTOCOL, target.protocol().wire())
                .put(AccessField.SERVER_ADDRESS, target.host())
                .put(AccessField.SERVER_PORT, target.port())
                .put(AccessField.HTTP_METHOD, target.method())
                .put(AccessField.EXECUTABLE_PATH, exchange.program())
                .put(AccessField.DECISION, exchange.outcome())
                .put(AccessField.RULE, exchange.rule())
                .put(AccessField.SENT_BYTES, exchange.sent())
                .put(AccessField.RECEIVED_BYTES, exchange.received())
                .put(AccessField.DURATION_MS, exchange.millis());
        if (!audit.isEmpty()) {
            event.put(AccessField.AUDIT, audit.strip());
        }
        if (exchange.refused()) {
            event.warning();
        }
    }

    /** Logs a request from which no target could be read. */
    void unreadable(String why) {
        trail.write(
                AccessKind.NETWORK_ACCESSED,
                event -> event.put(AccessField.DECISION, "bad request: " + why).warning());
        LOG.info("process={} outcome={}{}", process, LogText.quoted("bad request: " + why), audit);
    }
}
