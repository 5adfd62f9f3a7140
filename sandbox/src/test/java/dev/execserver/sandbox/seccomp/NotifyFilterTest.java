package dev.execserver.sandbox.seccomp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NotifyFilterTest {
    private static final int ALLOW = 0x7fff0000;
    private static final int NOTIFY = 0x7fc00000;
    private static final int ENOSYS = 0x00050026;
    private static final int I386 = 0x40000003;
    private static final int ARM = 0x40000028;

    private static int run(Machine machine, int architecture, int number) {
        return new BpfInterpreter(NotifyFilter.assemble(machine, NotifyFilter.EXECS))
                .run(architecture, number, new long[6]);
    }

    @Test
    void bothCallsOfBothMachinesAsk() {
        assertThat(run(Machine.X86_64, 0xC000003E, 59)).isEqualTo(NOTIFY);
        assertThat(run(Machine.X86_64, 0xC000003E, 322)).isEqualTo(NOTIFY);
        assertThat(run(Machine.AARCH64, 0xC00000B7, 221)).isEqualTo(NOTIFY);
        assertThat(run(Machine.AARCH64, 0xC00000B7, 281)).isEqualTo(NOTIFY);
        assertThat(NotifyFilter.isExecveat(Machine.X86_64, 322)).isTrue();
        assertThat(NotifyFilter.isExecveat(Machine.AARCH64, 281)).isTrue();
        assertThat(NotifyFilter.isExecveat(Machine.AARCH64, 221)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Machine.class)
    void everyOtherCallPasses(Machine machine) {
        for (int number = 0; number < 600; number++) {
            if (number != machine.number("execve") && number != machine.number("execveat")) {
                assertThat(run(machine, machine.auditArchitecture(), number))
                        .as("call %d", number)
                        .isEqualTo(ALLOW);
            }
        }
    }

    @Test
    void otherArchitecturesFailAndAreNotKilled() {
        for (int number : new int[] {1, 11, 358, 59}) {
            assertThat(run(Machine.X86_64, I386, number)).isEqualTo(ENOSYS);
        }
        for (int number : new int[] {1, 11, 387}) {
            assertThat(run(Machine.AARCH64, ARM, number)).isEqualTo(ENOSYS);
        }
    }

    @Test
    void theSecondSetOfNumbersFails() {
        for (int number : new int[] {0, 59, 322, 520, 545}) {
            assertThat(run(Machine.X86_64, 0xC000003E, 0x4000_0000 | number)).isEqualTo(ENOSYS);
        }
    }
}
