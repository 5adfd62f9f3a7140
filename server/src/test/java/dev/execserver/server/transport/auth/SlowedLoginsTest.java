package dev.execserver.server.transport.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Unit test of {@link SlowedLogins}. */
class SlowedLoginsTest {
    private static final List<String> WRONG = List.of("Bearer wrong");
    /** SHA-256 of "secret". */
    private static final String DIGEST = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";

    private final List<Duration> pauses = new ArrayList<>();
    private final SlowedLogins logins = new SlowedLogins(CapabilityToken.fromSha256(DIGEST), pauses::add);

    @Test
    void eachWrongCredentialOfAnAddressWaitsLongerUpToALimit() {
        for (int i = 0; i < 100; i++) {
            assertThat(logins.check(new Presented(WRONG, peer("10.0.0.1")))).isInstanceOf(Admission.Refused.class);
        }
        assertThat(pauses).hasSize(100 - SlowedLogins.FREE).isSorted().startsWith(SlowedLogins.STEP);
        assertThat(pauses.getLast()).isEqualTo(SlowedLogins.LONGEST);
    }

    @Test
    void aGoodCredentialNeverWaitsNorDoesAnotherAddress() {
        for (int i = 0; i < 10; i++) {
            assertThat(logins.check(new Presented(WRONG, peer("10.0.0.1")))).isInstanceOf(Admission.Refused.class);
        }
        pauses.clear();
        assertThat(logins.check(new Presented(List.of("Bearer secret"), peer("10.0.0.1"))))
                .isEqualTo(Admission.ANYBODY);
        assertThat(logins.check(new Presented(WRONG, peer("10.0.0.2")))).isInstanceOf(Admission.Refused.class);
        assertThat(pauses).isEmpty();
    }

    @Test
    void oneNetworkOfIpV6CountsAsOneAddress() {
        for (int i = 0; i < 10; i++) {
            assertThat(logins.check(new Presented(
                            WRONG, peer("2001:db8::" + HexFormat.of().toHexDigits((byte) i)))))
                    .isInstanceOf(Admission.Refused.class);
        }
        assertThat(logins.remembered()).isOne();
        assertThat(pauses).isNotEmpty();
    }

    @Test
    void onlyTheLatestAddressesAreRemembered() {
        for (int i = 0; i < 3 * SlowedLogins.MAX_ADDRESSES; i++) {
            assertThat(logins.check(new Presented(WRONG, peer("10.1." + i / 256 + "." + i % 256))))
                    .isInstanceOf(Admission.Refused.class);
        }
        assertThat(logins.remembered()).isEqualTo(SlowedLogins.MAX_ADDRESSES);
    }

    private static InetSocketAddress peer(String literal) {
        return new InetSocketAddress(InetAddress.ofLiteral(literal), 4711);
    }
}
