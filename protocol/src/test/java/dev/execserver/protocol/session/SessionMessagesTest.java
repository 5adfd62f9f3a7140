package dev.execserver.protocol.session;

import static dev.execserver.protocol.rpc.RecordRoundTrip.assertInvalid;
import static dev.execserver.protocol.rpc.RecordRoundTrip.json;
import static dev.execserver.protocol.rpc.RecordRoundTrip.roundTrip;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.environment.Capabilities;
import dev.execserver.protocol.environment.Capability;
import dev.execserver.protocol.environment.EnvironmentInfo;
import dev.execserver.protocol.environment.EnvironmentStatus;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SessionMessagesTest {

    private static final String INFO = """
            {"shell":{"name":"bash","path":"/bin/bash"},"executorVersion":"0.169.0","providerId":"sha256:PROVIDER",\
            "cwd":"file:///tmp","userHomeDir":"file:///HOME","platformOs":"linux","prependPathDirs":["file:///INSTALL/codex-path"],\
            "temporaryDirectories":["file:///tmp"],"tempDir":"file:///tmp","capabilities":{"networkProxyLaunch":true,\
            "networkProxyReviewDomains":true,"networkProxyTransparentTcp":true,"credentialMasking":true,"credentialMaskingCustomProviders":true,\
            "capabilityDiscoverySandbox":true,"fsWatchMissing":true,"capabilityDiscoveryV2":true,"environmentConfigRead":true,\
            "httpHeaderEnvVars":true,"sandboxedFileStreaming":true,"fileWriteStreaming":true,"shellSnapshotV2":true,\
            "windowsMxc":false,"linuxRootWritePreservesDevices":true,"linuxApprovedRootWritePreservesRestrictions":true}}""";

    @Test
    void aSessionIsBegunOrResumed() {
        String resume = "{\"clientName\":\"codex-environment\",\"resumeSessionId\":null}";
        assertThat(roundTrip(resume, InitializeParams::read).resumeSessionId()).isEmpty();
        assertThat(roundTrip(resume.replace("null", "\"\""), InitializeParams::read)
                        .resumeSessionId())
                .contains("");
        assertThat(InitializeParams.read(JsonSlice.of("{\"clientName\":\"x\",\"more\":1}"), Dialect.STRICT))
                .isEqualTo(new InitializeParams("x", Optional.empty()));
        assertInvalid("null", InitializeParams::read, "invalid type: null, expected struct InitializeParams");
        assertInvalid("{}", InitializeParams::read, "missing field `clientName`");
    }

    @Test
    void theResultOfTheReferenceIsReadAndWrittenMemberByMember() {
        InitializeResult read =
                roundTrip("{\"sessionId\":\"SESSION_1\",\"environmentInfo\":" + INFO + "}", InitializeResult::read);
        assertThat(read.features()).isEmpty();
        assertThat(read.environmentInfo().orElseThrow().capabilities().supported())
                .isEqualTo(EnumSet.complementOf(EnumSet.of(Capability.WINDOWS_MXC)));
    }

    @Test
    void olderServersSendASessionIdAndNoMore() {
        assertThat(roundTrip("{\"sessionId\":\"s\"}", InitializeResult::read))
                .isEqualTo(new InitializeResult("s", Optional.empty(), List.of()));
        assertInvalid("{}", InitializeResult::read, "missing field `sessionId`");
    }

    @Test
    void featuresAreWrittenWhenThereAreAny() {
        assertThat(roundTrip("{\"sessionId\":\"s\",\"features\":[\"process/list\"]}", InitializeResult::read)
                        .features())
                .containsExactly("process/list");
    }

    @Test
    void onlyTheShellIsRequiredOfAnEnvironment() {
        EnvironmentInfo info = EnvironmentInfo.read(
                JsonSlice.of("{\"shell\":{\"name\":\"sh\",\"path\":\"/bin/sh\"}}"), Dialect.STRICT);
        assertThat(info.executorVersion()).isEqualTo("0.0.0");
        assertThat(info.capabilities()).isEqualTo(Capabilities.NONE);
        assertThat(info.temporaryDirectories()).isEmpty();
        assertThat(EnvironmentInfo.read(JsonSlice.of(json(info)), Dialect.STRICT))
                .isEqualTo(info);
        assertInvalid("{}", EnvironmentInfo::read, "missing field `shell`");
    }

    @Test
    void unknownCapabilitiesAreIgnoredAndWindowsPathsKept() {
        String windows =
                "{\"shell\":{\"name\":\"cmd\",\"path\":\"c\"},\"cwd\":\"file:///C:/x\",\"capabilities\":{\"new\":[],\"windowsMxc\":true}}";
        EnvironmentInfo info = EnvironmentInfo.read(JsonSlice.of(windows), Dialect.STRICT);
        assertThat(info.capabilities().supported()).containsExactly(Capability.WINDOWS_MXC);
        assertThat(info.cwd().orElseThrow().toUri()).isEqualTo("file:///C:/x");
        assertThat(info.cwd().orElseThrow().isValidOnLinux()).isFalse();
    }

    @Test
    void theStatusIsReady() {
        assertThat(roundTrip("{\"status\":\"ready\"}", EnvironmentStatus::read)).isEqualTo(EnvironmentStatus.READY);
    }
}
