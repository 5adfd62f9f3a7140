package dev.execserver.server.transport.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.server.transport.auth.Subject;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConsoleLoginsTest {
    private long now;
    private final ConsoleLogins logins = new ConsoleLogins(() -> now);

    private String begin(String name) {
        return logins.begin(List.of("Bearer " + name), Optional.of(new Subject(Optional.empty(), name)));
    }

    @Test
    void manyLogInsOfOneClientEndItsOwnOnly() {
        String bob = begin("bob");
        String first = begin("ada");
        String last = "";
        for (int i = 0; i < 2 * ConsoleLogins.MAX_LOGINS; i++) {
            last = begin("ada");
        }

        assertThat(logins.find(bob)).contains(List.of("Bearer bob"));
        assertThat(logins.find(last)).contains(List.of("Bearer ada"));
        assertThat(logins.find(first)).isEmpty();
    }

    @Test
    void theNextUseOfAnyKeyForgetsCredentialsWhoseTimeIsOver() {
        String old = begin("ada");
        now = ConsoleLogins.LIFETIME.toNanos() / 2;
        String bob = begin("bob");
        now = ConsoleLogins.LIFETIME.toNanos() + 1;

        assertThat(logins.find(bob)).isPresent();

        now = 0; // a log-in that was only hidden would be found again
        assertThat(logins.find(old)).isEmpty();
    }
}
