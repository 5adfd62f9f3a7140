package dev.execserver.protocol.permissions;

import static dev.execserver.protocol.permissions.Policies.exact;
import static dev.execserver.protocol.permissions.Policies.glob;
import static dev.execserver.protocol.permissions.Policies.special;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class PolicyPropertiesTest {
    private static final Entry READ_ALL = special(new SpecialPath.Root(), Access.READ);
    private static final Entry WRITE_ALL = special(new SpecialPath.Root(), Access.WRITE);
    private static final Entry MINIMAL = special(new SpecialPath.Minimal(), Access.READ);

    @Test
    void everythingIsReadableWhenTheRootIsAndNothingIsDenied() {
        assertFullRead(true, READ_ALL);
        assertFullRead(true, WRITE_ALL, exact("/a", Access.READ));
        assertFullRead(true, exact("/", Access.READ));
        assertFullRead(false, READ_ALL, exact("/a", Access.DENY));
        assertFullRead(false, READ_ALL, glob("/a/*", Access.DENY));
        assertFullRead(false, MINIMAL);
        assertFullRead(false);
        assertThat(PolicyProperties.fullRead(FileSystemPolicy.UNRESTRICTED)).isTrue();
    }

    @Test
    void everythingIsWritableWhenTheRootIsAndNothingNarrowsIt() {
        assertFullWrite(true, WRITE_ALL);
        assertFullWrite(true, WRITE_ALL, MINIMAL);
        assertFullWrite(true, WRITE_ALL, special(new SpecialPath.Unknown(":x", Optional.empty()), Access.DENY));
        assertFullWrite(true, WRITE_ALL, exact("/a", Access.READ), exact("/a", Access.WRITE));
        assertFullWrite(true, WRITE_ALL, exact("/tmp", Access.READ), special(new SpecialPath.SlashTmp(), Access.WRITE));
        assertFullWrite(true, exact("/", Access.WRITE), READ_ALL);
        assertFullWrite(false, WRITE_ALL, exact("/a", Access.READ));
        assertFullWrite(false, WRITE_ALL, exact("/a", Access.DENY), exact("/a", Access.WRITE));
        assertFullWrite(false, WRITE_ALL, glob("*", Access.DENY));
        assertFullWrite(false, WRITE_ALL, special(new SpecialPath.Root(), Access.DENY));
        assertFullWrite(false, READ_ALL);
    }

    @Test
    void platformDirectoriesAreForRestrictedReads() {
        assertThat(PolicyProperties.platformDefaults(FileSystemPolicy.restricted(MINIMAL)))
                .isTrue();
        assertThat(PolicyProperties.platformDefaults(FileSystemPolicy.restricted(MINIMAL, READ_ALL)))
                .isFalse();
        assertThat(PolicyProperties.platformDefaults(FileSystemPolicy.restricted(READ_ALL, exact("/a", Access.DENY))))
                .isFalse();
        assertThat(PolicyProperties.platformDefaults(
                        FileSystemPolicy.restricted(special(new SpecialPath.Minimal(), Access.DENY))))
                .isFalse();
    }

    private static void assertFullRead(boolean expected, Entry... entries) {
        assertThat(PolicyProperties.fullRead(FileSystemPolicy.restricted(entries)))
                .isEqualTo(expected);
    }

    private static void assertFullWrite(boolean expected, Entry... entries) {
        assertThat(PolicyProperties.fullWrite(FileSystemPolicy.restricted(entries)))
                .isEqualTo(expected);
    }
}
