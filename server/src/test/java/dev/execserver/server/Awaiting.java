package dev.execserver.server;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What holds for every {@code await()} of this module, found by META-INF/services: one looks often, since most conditions
 * come true within a millisecond, and gives up late, since a limit is there for what hangs.
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
