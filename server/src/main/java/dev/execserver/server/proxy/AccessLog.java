package dev.execserver.server.proxy;

import dev.execserver.protocol.net.NetworkProxyConfig;
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

    private final String process;
    private final String audit;

    /** @throws dev.execserver.protocol.rpc.RpcException -32602 if the audit metadata are not an object */
    AccessLog(String processId, NetworkProxyConfig config) {
        this.process = LogText.quoted(processId);
        this.audit = AuditFields.of(config);
    }

    void write(Exchange exchange) {
        if (!LOG.isInfoEnabled()) {
            return;
        }
        ProxyDestination target = exchange.target();
        LOG.info(
                "process={} protocol={} host={} port={} method={} outcome={} rule={} sent={} received={} ms={}{}",
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
                audit);
    }

    /** Logs a request from which no target could be read. */
    void unreadable(String why) {
        LOG.info("process={} outcome={}{}", process, LogText.quoted("bad request: " + why), audit);
    }
}
