package dev.execserver.server.proxy;

import dev.execserver.protocol.net.NetworkProxyConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One line for each thing that a process has asked its proxy for, each with the words of its client about whom it runs for.
 * No bodies, no paths, no credentials. Immutable.
 */
final class AccessLog {

    /** Level {@code info}. */
    static final String NAME = "execserver.access.network";

    private static final Logger LOG = LoggerFactory.getLogger(NAME);

    private final String process;
    private final String audit;

    /** @throws dev.execserver.protocol.rpc.RpcException -32602 when the audit metadata are no object */
    AccessLog(String processId, NetworkProxyConfig config) {
        this.process = LogText.quoted(processId);
        this.audit = AuditFields.of(config);
    }

    void write(Exchange exchange) {
        if (!LOG.isInfoEnabled()) {
            return;
        }
        Target target = exchange.target();
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

    /** Something came that named no target that we could read. */
    void unreadable(String why) {
        LOG.info("process={} outcome={}{}", process, LogText.quoted("bad request: " + why), audit);
    }
}
