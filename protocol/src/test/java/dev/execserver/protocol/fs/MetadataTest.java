package dev.execserver.protocol.fs;

import static dev.execserver.protocol.rpc.RecordRoundTrip.assertInvalid;
import static dev.execserver.protocol.rpc.RecordRoundTrip.roundTrip;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class MetadataTest {

    @Test
    void linksAreFollowedUnlessRefused() {
        MetadataParams expected = new MetadataParams(PathUri.ofNative("/fsx/ln"), true, Optional.empty());
        for (String flag : new String[] {"", ",\"followSymlinks\":null", ",\"followSymlinks\":true"}) {
            JsonSlice params = JsonSlice.of("{\"path\":\"file:///fsx/ln\"" + flag + "}");
            assertThat(MetadataParams.read(params, Dialect.STRICT)).isEqualTo(expected);
        }
        assertThat(roundTrip(
                                "{\"path\":\"file:///ln\",\"followSymlinks\":false,\"sandbox\":{\"a\":1}}",
                                MetadataParams::read)
                        .followSymlinks())
                .isFalse();
    }

    @Test
    void thePathIsRequiredAndChecked() {
        assertInvalid("{}", MetadataParams::read, "missing field `path`");
        assertInvalid("{\"path\":\"x\"}", MetadataParams::read, "invalid URI: relative URL without a base");
        assertInvalid("{\"path\":5}", MetadataParams::read, "invalid type: integer `5`, expected a string");
    }

    @Test
    void theResultIsThatOfTheReference() {
        MetadataResult read = roundTrip(
                "{\"isDirectory\":false,\"isFile\":true,\"isSymlink\":true,\"size\":6,\"createdAtMs\":0,\"modifiedAtMs\":1795818717348}",
                MetadataResult::read);
        assertThat(read)
                .isEqualTo(new MetadataResult(false, true, true, 6, 0, 1_795_818_717_348L, OptionalInt.empty()));
        assertInvalid("{\"isDirectory\":true}", MetadataResult::read, "missing field `isFile`");
    }
}
