package dev.execserver.protocol.permissions;

import static dev.execserver.protocol.permissions.Policies.exact;
import static dev.execserver.protocol.permissions.Policies.glob;
import static dev.execserver.protocol.permissions.Policies.managed;
import static dev.execserver.protocol.permissions.Policies.special;
import static dev.execserver.protocol.rpc.RecordRoundTrip.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.permissions.FileSystemPolicy.Restricted;
import dev.execserver.protocol.permissions.PermissionProfile.External;
import dev.execserver.protocol.permissions.PermissionProfile.Managed;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PermissionMergerTest {
    private static final Entry A = exact("/a", Access.READ);
    private static final Entry B = exact("/b", Access.WRITE);
    private static final Entry SECRETS = glob("**/*.key", Access.DENY);

    @ParameterizedTest
    @EnumSource(ProfileFormat.class)
    void everySpellingIsReadBack(ProfileFormat spelling) {
        for (AdditionalPermissions overlay : List.of(
                AdditionalPermissions.NONE,
                overlay(true, A, B),
                new AdditionalPermissions(
                        Optional.of(false), Optional.of(new Restricted(List.of(SECRETS), OptionalInt.of(2)))))) {
            assertThat(read(json(g -> overlay.write(g, spelling)))).isEqualTo(overlay);
        }
    }

    @Test
    void listsOfPathsAreEntries() {
        assertThat(read("{'network':{'enabled':null},'file_system':{'read':['/a'],'write':['/b']}}"))
                .isEqualTo(new AdditionalPermissions(Optional.empty(), Optional.of(new Restricted(List.of(A, B)))));
        assertThat(read("{}")).isEqualTo(AdditionalPermissions.NONE);
        assertThatThrownBy(() -> read("{'fileSystem':{'read':['a']}}"))
                .hasMessage("invalid URI: relative URL without a base at `fileSystem.read[0]`");
    }

    @Test
    void normalisingDropsWhatAddsNothing() {
        assertThat(PermissionMerger.normalise(overlay(true, A, A, B))).isEqualTo(overlay(true, A, B));
        assertThat(PermissionMerger.normalise(
                        new AdditionalPermissions(Optional.empty(), Optional.of(new Restricted(List.of())))))
                .isEqualTo(AdditionalPermissions.NONE);
        assertThatThrownBy(() -> PermissionMerger.normalise(overlay(true, glob("/x/*", Access.READ))))
                .hasMessage("glob file system permissions only support deny-read entries: `/x/*`");
    }

    @Test
    void mergingGrantsWhatEitherGrants() {
        assertThat(PermissionMerger.merge(overlay(false, A), overlay(true, A, B)))
                .isEqualTo(overlay(true, A, B));
        assertThat(PermissionMerger.merge(AdditionalPermissions.NONE, overlay(false, A)))
                .isEqualTo(overlay(false, A));
        assertThat(depthOfMerged(OptionalInt.of(2), OptionalInt.of(5))).hasValue(5);
    }

    @Test
    void aSideWithoutABoundIsTheDeeperOne() {
        assertThat(depthOfMerged(OptionalInt.of(2), OptionalInt.empty())).isEmpty();
        AdditionalPermissions withoutGlob = overlay(true, A);
        AdditionalPermissions bounded = new AdditionalPermissions(
                Optional.empty(), Optional.of(new Restricted(List.of(SECRETS), OptionalInt.of(2))));
        assertThat(PermissionMerger.merge(bounded, withoutGlob)
                        .fileSystem()
                        .orElseThrow()
                        .globScanMaxDepth())
                .hasValue(2);
    }

    @Test
    void intersectingGrantsWhatBothGrant() {
        assertThat(PermissionMerger.intersect(overlay(true, A, B), overlay(true, B)))
                .isEqualTo(overlay(true, B));
        assertThat(PermissionMerger.intersect(overlay(true, A), overlay(false, B)))
                .isEqualTo(AdditionalPermissions.NONE);
    }

    @Test
    void anOverlayOnlyAdds() {
        assertThat(PermissionMerger.apply(managed(A), overlay(true, A, B)))
                .isEqualTo(new Managed(FileSystemPolicy.restricted(A, B), NetworkPolicy.ENABLED));
        PermissionProfile open = new Managed(FileSystemPolicy.UNRESTRICTED, NetworkPolicy.ENABLED);
        assertThat(PermissionMerger.apply(open, overlay(false, A))).isEqualTo(open);
        assertThat(PermissionMerger.apply(PermissionProfile.DISABLED, overlay(true, A)))
                .isEqualTo(PermissionProfile.DISABLED);
        assertThat(PermissionMerger.apply(new External(NetworkPolicy.RESTRICTED), overlay(true, A)))
                .isEqualTo(new External(NetworkPolicy.ENABLED));
    }

    @Test
    void replacingTheGrantsKeepsTheDenials() {
        Restricted before = new Restricted(List.of(A, SECRETS), OptionalInt.of(4));
        assertThat(PermissionMerger.replaceGrants(before, FileSystemPolicy.restricted(B)))
                .isEqualTo(new Restricted(List.of(B, SECRETS), OptionalInt.of(4)));
        assertThat(PermissionMerger.replaceGrants(before, FileSystemPolicy.UNRESTRICTED))
                .isEqualTo(new Restricted(
                        List.of(special(new SpecialPath.Root(), Access.WRITE), SECRETS), OptionalInt.of(4)));
        assertThat(PermissionMerger.replaceGrants(FileSystemPolicy.restricted(A), FileSystemPolicy.UNRESTRICTED))
                .isEqualTo(FileSystemPolicy.UNRESTRICTED);
    }

    private static OptionalInt depthOfMerged(OptionalInt a, OptionalInt b) {
        return PermissionMerger.merge(
                        new AdditionalPermissions(Optional.empty(), Optional.of(new Restricted(List.of(SECRETS), a))),
                        new AdditionalPermissions(Optional.empty(), Optional.of(new Restricted(List.of(SECRETS), b))))
                .fileSystem()
                .orElseThrow()
                .globScanMaxDepth();
    }

    private static AdditionalPermissions overlay(boolean network, Entry... entries) {
        return new AdditionalPermissions(Optional.of(network), Optional.of(FileSystemPolicy.restricted(entries)));
    }

    private static AdditionalPermissions read(String json) {
        return AdditionalPermissions.read(JsonSlice.of(json.replace('\'', '"')), Dialect.OPEN);
    }
}
