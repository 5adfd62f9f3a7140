package dev.execserver.server;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Defaults of every {@code await()} of this module, found by META-INF/services. It polls often, because most conditions
 * come true within a millisecond. It gives up late, because the limit is only for conditions that never come true.
 */
public final class Awaiting implements BeforeAllCallback {
    private static final Duration LOOK = Duration.ofMillis(10);
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultPollInterval(LOOK);
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultTimeout(LIMIT);
    }
}
