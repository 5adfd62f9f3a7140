package dev.execserver.sandbox.seccomp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SharedProcessesTest {
    private static final int ALLOW = 0x7fff0000;
    private static final int EPERM = 0x00050001;

    private static int run(Machine machine, String call, long... arguments) {
        return new BpfInterpreter(SeccompFilter.assembleWithoutNamespaces(FilterMode.RESTRICTED, machine))
                .run(machine.auditArchitecture(), machine.number(call), Arrays.copyOf(arguments, 6));
    }

    private static void expect(String call, int action, long... arguments) {
        for (Machine machine : Machine.values()) {
            assertThat(run(machine, call, arguments)).as(machine + " " + call).isEqualTo(action);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sched_setaffinity",
                "sched_setscheduler",
                "sched_setparam",
                "sched_setattr",
                "migrate_pages",
                "move_pages"
            })
    void c55_onlyTheCallerItselfIsChanged(String call) {
        expect(call, ALLOW, 0);
        expect(call, ALLOW, 1L << 32); // a pid is an int
        expect(call, EPERM, 4711);
        expect(call, EPERM, -1);
    }

    @ParameterizedTest
    @CsvSource({"setpriority, 0", "ioprio_set, 1"})
    void c55_priorityIsThatOfOneProcessTheCaller(String call, int process) {
        expect(call, ALLOW, process, 0);
        expect(call, EPERM, process, 4711);
        for (int which = 0; which < 4; which++) {
            if (which != process) {
                expect(call, EPERM, which, 0);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Machine.class)
    void c55_limitsOfOthersAreReadAndNeverSet(Machine machine) {
        assertThat(run(machine, "prlimit64", 0, 7, 0x1000, 0x2000)).isEqualTo(ALLOW);
        assertThat(run(machine, "prlimit64", 4711, 7, 0, 0x2000)).isEqualTo(ALLOW);
        assertThat(run(machine, "prlimit64", 4711, 7, 0x1000, 0)).isEqualTo(EPERM);
        assertThat(run(machine, "prlimit64", 4711, 7, 1L << 32, 0)).isEqualTo(EPERM);
    }

    @ParameterizedTest
    @EnumSource(Machine.class)
    void c54_theMarkByWhichProcessesAreFoundIsReadAndNeverSet(Machine machine) {
        assertThat(run(machine, "prlimit64", 0, 15, 0, 0x2000)).isEqualTo(ALLOW);
        assertThat(run(machine, "prlimit64", 0, 15, 0x1000, 0)).isEqualTo(EPERM);
        assertThat(run(machine, "prlimit64", 0, 15, 1L << 32, 0)).isEqualTo(EPERM);
        assertThat(run(machine, "setrlimit", 15, 0x1000)).isEqualTo(EPERM);
        assertThat(run(machine, "setrlimit", 7, 0x1000)).isEqualTo(ALLOW);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pidfd_getfd", "kcmp", "process_madvise", "process_mrelease", "shmat", "semop", "mq_open"})
    void c55_whatIsForOthersIsDenied(String call) {
        expect(call, EPERM, 0);
    }
}
