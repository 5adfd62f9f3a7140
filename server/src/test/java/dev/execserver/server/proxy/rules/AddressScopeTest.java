package dev.execserver.server.proxy.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressScopeTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.255.255.255",
                "0.0.0.0",
                "0.1.2.3",
                "10.0.0.1",
                "100.64.0.1",
                "100.127.255.255",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.0.1",
                "192.0.0.8",
                "192.0.2.1",
                "198.18.0.1",
                "198.19.255.255",
                "198.51.100.7",
                "203.0.113.7",
                "224.0.0.1",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "::ffff:127.0.0.1",
                "::ffff:10.1.2.3",
                "::127.0.0.1",
                "64:ff9b::7f00:1",
                "64:ff9b::a00:1",
                "64:ff9b:1::808:808",
                "2002:7f00:1::1",
                "2002:c0a8:1::1",
                "2001::1",
                "2001:db8::1",
                "3fff::1",
                "fc00::1",
                "fd12:3456::1",
                "fec0::1",
                "ff02::1",
                "100::1"
            })
    void whatIsNotOfTheInternetIsLocal(String literal) {
        assertThat(AddressScope.of(InetAddress.ofLiteral(literal))).isEqualTo(AddressScope.LOCAL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "169.254.169.254",
                "169.254.0.1",
                "fe80::1",
                "febf::1",
                "::ffff:169.254.169.254",
                "64:ff9b::a9fe:a9fe",
                "2002:a9fe:a9fe::1"
            })
    void theLinkHasTheMetadata(String literal) {
        assertThat(AddressScope.of(InetAddress.ofLiteral(literal))).isEqualTo(AddressScope.LINK);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "8.8.8.8",
                "100.63.255.255",
                "100.128.0.1",
                "172.15.0.1",
                "172.32.0.1",
                "169.253.0.1",
                "223.255.255.255",
                "2606:4700::1111",
                "64:ff9b::808:808",
                "::ffff:8.8.8.8",
                "2002:808:808::1"
            })
    void theRestIsPublic(String literal) {
        assertThat(AddressScope.of(InetAddress.ofLiteral(literal))).isEqualTo(AddressScope.PUBLIC);
    }

    @ParameterizedTest
    @CsvSource({
        "64:ff9b::808:808, 8.8.8.8",
        "2002:808:808::1, 8.8.8.8",
        "::8.8.8.8, 8.8.8.8",
        "::1, 0.0.0.1",
        "64:ff9b:1::808:808,",
        "2606:4700::1111,",
        "1.1.1.1,"
    })
    void whatAnAddressCarriesIsKnown(String literal, String carried) {
        assertThat(AddressScope.carried(InetAddress.ofLiteral(literal)).map(HostName::text))
                .isEqualTo(Optional.ofNullable(carried));
    }

    @Test
    void anAddressOfThisMachineIsLocalFromHere() {
        assertThat(AddressScope.here(InetAddress.getLoopbackAddress())).isEqualTo(AddressScope.LOCAL);
        assertThat(AddressScope.here(InetAddress.ofLiteral("1.1.1.1"))).isEqualTo(AddressScope.PUBLIC);
    }
}
