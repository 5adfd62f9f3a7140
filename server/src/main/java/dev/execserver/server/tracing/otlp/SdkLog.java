package dev.execserver.server.tracing.otlp;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.slf4j.LoggerFactory;

/**
 * Passes what the SDK has to say, such as that the collector cannot be reached, to the log of the server: one line, without a
 * stack trace. The SDK itself limits how often it says the same.
 */
final class SdkLog extends Handler {
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(SdkLog.class);
    private static final Logger OF_SDK = Logger.getLogger("io.opentelemetry");

    private final SimpleFormatter formatter = new SimpleFormatter();

    private SdkLog() {}

    static void install() {
        OF_SDK.setUseParentHandlers(false);
        for (Handler old : OF_SDK.getHandlers()) {
            OF_SDK.removeHandler(old);
        }
        OF_SDK.addHandler(new SdkLog());
    }

    @Override
    public void publish(LogRecord line) {
        String cause = line.getThrown() == null ? "" : " (" + line.getThrown() + ")";
        String text = formatter.formatMessage(line) + cause;
        if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
            LOG.warn("tracing: {}", text);
        } else {
            LOG.debug("tracing: {}", text);
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
