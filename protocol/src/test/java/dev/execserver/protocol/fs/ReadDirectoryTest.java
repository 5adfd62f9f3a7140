package dev.execserver.protocol.fs;

import static dev.execserver.protocol.rpc.RecordRoundTrip.assertInvalid;
import static dev.execserver.protocol.rpc.RecordRoundTrip.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.EnvelopeDecoder;
import dev.execserver.protocol.rpc.JsonSlice;
import org.junit.jupiter.api.Test;

class ReadDirectoryTest {

    @Test
    void aListHasNoMoreEntriesThanFitTheValuesOfAMessageUnlessMoreAreAskedFor() {
        assertThat(maxEntries("", Dialect.OPEN)).isEqualTo(FsLimits.DIRECTORY_ENTRIES);
        assertThat(FsLimits.DIRECTORY_ENTRIES * 5L + 4).isLessThan(EnvelopeDecoder.MAX_VALUES);
        assertThat(maxEntries(",\"maxEntries\":7", Dialect.OPEN)).isEqualTo(7);
        assertInvalid(
                "{\"path\":\"file:///d\",\"maxEntries\":-1}",
                Dialect.OPEN,
                ReadDirectoryParams::read,
                "invalid value: integer `-1`, expected u64");
    }

    @Test
    void theStrictDialectKnowsNoWish() {
        assertThat(maxEntries(",\"maxEntries\":\"x\"", Dialect.STRICT)).isEqualTo(FsLimits.DIRECTORY_ENTRIES);
    }

    @Test
    void aWishIsHandedOnToTheHelper() {
        String params = "{\"path\":\"file:///d\",\"sandbox\":null,\"maxEntries\":7}";
        assertThat(json(ReadDirectoryParams.read(JsonSlice.of(params), Dialect.OPEN)))
                .isEqualTo(params);
    }

    private static long maxEntries(String member, Dialect dialect) {
        JsonSlice params = JsonSlice.of("{\"path\":\"file:///d\"" + member + "}");
        return ReadDirectoryParams.read(params, dialect).maxEntries();
    }
}
