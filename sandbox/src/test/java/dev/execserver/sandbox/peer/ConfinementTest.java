package dev.execserver.sandbox.peer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.sandbox.linux.ProcStatus;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ConfinementTest {
    private static final ProcStatus FREE = status(false, false, 0);

    private static ProcStatus status(boolean noNewPrivileges, boolean filtered, int filters) {
        return new ProcStatus(1000, 1000, noNewPrivileges, filtered, OptionalInt.of(filters));
    }

    @Test
    void whoLacksOneOfBothIsNoSandboxedCommand() {
        Confinement confinement = new Confinement(FREE);
        assertThat(confinement.restricted(FREE)).isFalse();
        assertThat(confinement.restricted(status(true, false, 0))).isFalse();
        assertThat(confinement.restricted(status(false, true, 1))).isFalse();
        assertThat(confinement.restricted(status(true, true, 1))).isTrue();
    }

    @Test
    void aServerInAContainerCountsFilters() {
        Confinement confinement = new Confinement(status(true, true, 1));
        assertThat(confinement.obstacle()).isEmpty();
        assertThat(confinement.restricted(status(true, true, 1))).isFalse();
        assertThat(confinement.restricted(status(true, true, 2))).isTrue();
    }

    @Test
    void withoutACountNobodyIsToldApartInAContainer() {
        ProcStatus own = new ProcStatus(1000, 1000, true, true, OptionalInt.empty());
        assertThat(new Confinement(own).obstacle())
                .hasValueSatisfying(text -> assertThat(text).contains("Seccomp_filters"));
        assertThat(new Confinement(own).restricted(own)).isTrue();
    }

    @Test
    void aUserIsToldByEitherId() {
        Confinement confinement = new Confinement(new ProcStatus(1000, 1001, false, false, OptionalInt.of(0)));
        assertThat(confinement.isThisUser(1000)).isTrue();
        assertThat(confinement.isThisUser(1001)).isTrue();
        assertThat(confinement.isThisUser(0)).isFalse();
    }
}
