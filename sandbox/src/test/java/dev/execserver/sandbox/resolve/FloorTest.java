package dev.execserver.sandbox.resolve;

import static dev.execserver.sandbox.resolve.Profiles.directories;
import static dev.execserver.sandbox.resolve.Profiles.managed;
import static dev.execserver.sandbox.resolve.Profiles.resolve;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.permissions.NetworkPolicy;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.sandbox.paths.MemoryFiles;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FloorTest {
    private final MemoryFiles files =
            new MemoryFiles().directory("/ws/sub", "/out", "/usr/bin", "/etc").files("/ws/private/k", "/ws/a.env");

    private static final String NO_NETWORK =
            "the request enables the network, and " + Floor.NO_NETWORK + "; ask for a restricted one";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/:r ws:w | /:r ws:w",
                "/:r ws:w | /:r",
                "/:r ws:w | ws:w",
                "/:r ws:w | minimal:r ws/sub:w",
                "/:r ws:w /ws/private:deny | /:r ws:w /ws/private:deny",
                "/:r ws:w /ws/private:deny | /:r ws/sub:w /ws/private:deny",
                "/:r ws:w /ws/**/*.env:deny | /:r ws:w /ws/*.env:deny",
                "/:w | /:r ws:w",
                "ws:w | ws/sub:w"
            })
    void whatStaysBelowTheFloorPasses(String floor, String request) {
        assertThat(check(floor, request)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/:r ws:w | /:w | the operator's floor (--sandbox-floor) allows only reading of /, and the request gives writing to it",
                "/:r ws:w | /:r /out:w | the operator's floor (--sandbox-floor) allows only reading of /out, and the request gives writing to it",
                "minimal:r ws:w | /:r ws:w | the operator's floor (--sandbox-floor) allows no access to /, and the request gives reading of it",
                "/:r ws:w | /:r ws:w /ws/.git:w | the operator's floor (--sandbox-floor) allows only reading of /ws/.git, and the request gives writing to it",
                "/:r ws:w /ws/private:deny | /:r ws:w | the operator's floor (--sandbox-floor) allows no access to /ws/private, and the request gives writing to it",
                "/:r ws:w /ws/private:deny | /:r ws:w /ws/private:deny /ws/private/k:r | the operator's floor (--sandbox-floor) allows no access to /ws/private/k, and the request gives reading of it",
                "/:r ws:w /ws/**/*.env:deny | /:r ws:w | the operator's floor (--sandbox-floor) allows no access to /ws/a.env, and the request gives writing to it"
            })
    void whatAsksForMoreIsRefusedWithTheFirstThing(String floor, String request, String reason) {
        files.directory("/ws/.git");
        assertThat(check(floor, request)).contains(told(reason));
    }

    @Test
    void noSandboxAsksForEverything() {
        Floor floor = floor(managed("/:r ws:w"));
        String reason =
                "the operator's floor (--sandbox-floor) allows only reading of /, and no sandbox gives writing to it";
        assertThat(floor(managed("/:r ws:w", 1)).check(ResolvedPolicy.UNSANDBOXED))
                .contains(NO_NETWORK);
        assertThat(floor.check(resolved(new PermissionProfile.External(NetworkPolicy.RESTRICTED))))
                .contains(told(reason.replace("no sandbox", "an external sandbox")));
        assertThat(floor.check(resolved(Profiles.unrestricted(NetworkPolicy.RESTRICTED))))
                .contains(told(reason.replace("no sandbox", "the request")));
    }

    @Test
    void theNetworkIsComparedToo() {
        PermissionProfile closed = new PermissionProfile.External(NetworkPolicy.RESTRICTED);
        PermissionProfile open = new PermissionProfile.External(NetworkPolicy.ENABLED);
        assertThat(floor(closed).check(resolved(open))).contains(NO_NETWORK);
        assertThat(floor(closed).check(resolved(closed))).isEmpty();
        assertThat(floor(open).check(ResolvedPolicy.UNSANDBOXED)).isEmpty();
        assertThat(floor(PermissionProfile.DISABLED).check(ResolvedPolicy.UNSANDBOXED))
                .isEmpty();
    }

    @Test
    void aRequiredSandboxRestrictsFiles() {
        Floor floor = new Floor(true, Optional.empty());
        assertThat(floor.check(resolve(files, "/:r ws:w"))).isEmpty();
        assertThat(floor.check(ResolvedPolicy.UNSANDBOXED))
                .contains(
                        "this server runs nothing without a sandbox (--require-sandbox), and the request has no sandbox;"
                                + " send a managed profile that restricts files");
        assertThat(floor.check(resolved(new PermissionProfile.External(NetworkPolicy.RESTRICTED))))
                .hasValueSatisfying(text -> assertThat(text).contains("has an external sandbox"));
        assertThat(floor.check(resolved(Profiles.unrestricted(NetworkPolicy.RESTRICTED))))
                .hasValueSatisfying(text -> assertThat(text).contains("has unrestricted files"));
        assertThat(floor.check(resolve(files, "/:w")))
                .hasValueSatisfying(text -> assertThat(text).contains("makes every file writable"));
        assertThat(Floor.NONE.check(ResolvedPolicy.UNSANDBOXED)).isEmpty();
    }

    private static String told(String reason) {
        return reason + "; ask for a managed profile that gives no more";
    }

    private Optional<String> check(String floor, String request) {
        return floor(managed(floor)).check(resolve(files, request));
    }

    private Floor floor(PermissionProfile profile) {
        return new Floor(false, Optional.of(resolved(profile)));
    }

    private ResolvedPolicy resolved(PermissionProfile profile) {
        return resolve(files, profile, directories());
    }
}
