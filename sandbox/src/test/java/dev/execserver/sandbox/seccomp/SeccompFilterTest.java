package dev.execserver.sandbox.seccomp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class SeccompFilterTest {
    private static final int ALLOW = 0x7fff0000;
    private static final int EPERM = 0x00050001;
    private static final int ENOSYS = 0x00050026;
    private static final int KILL = 0x80000000;
    private static final long UNIX = 1;
    private static final long INET = 2;
    private static final long INET6 = 10;
    private static final long NETLINK = 16;
    private static final long VSOCK = 40;
    private static final long STREAM = 1;
    private static final long DATAGRAM = 2;
    private static final long RAW = 3;
    private static final long SEQPACKET = 5;
    private static final long CLOEXEC_NONBLOCK = 02004000;

    static Stream<Arguments> all() {
        return Stream.of(FilterMode.values())
                .flatMap(mode -> Stream.of(Machine.values()).map(machine -> Arguments.of(mode, machine)));
    }

    @ParameterizedTest
    @MethodSource("all")
    void c54_aCommandKeepsTheMarkThatTellsWhatItIs(FilterMode mode, Machine machine) {
        for (long process : new long[] {0, 4711}) {
            assertThat(run(mode, machine, "prlimit64", process, 15, 0x1000, 0)).isEqualTo(EPERM);
            assertThat(run(mode, machine, "prlimit64", process, 15, 1L << 32, 0))
                    .isEqualTo(EPERM);
            assertThat(run(mode, machine, "prlimit64", process, 15, 0, 0x2000)).isEqualTo(ALLOW);
            assertThat(run(mode, machine, "prlimit64", process, 7, 0x1000, 0)).isEqualTo(ALLOW);
        }
        assertThat(run(mode, machine, "setrlimit", 15, 0x1000)).isEqualTo(EPERM);
        assertThat(run(mode, machine, "setrlimit", 7, 0x1000)).isEqualTo(ALLOW);
    }

    @ParameterizedTest
    @MethodSource("all")
    void noCallMakesOrJoinsAUserNamespace(FilterMode mode, Machine machine) {
        long newUser = 0x10000000;
        long newMounts = 0x20000;
        long child = 17;
        for (long flags : new long[] {newUser, newUser | newMounts, newUser | child, newUser | 1L << 32}) {
            assertThat(run(mode, machine, "clone", flags)).isEqualTo(EPERM);
            assertThat(run(mode, machine, "unshare", flags)).isEqualTo(EPERM);
        }
        for (long flags : new long[] {0, child, newMounts, 0x3d0f00, newUser << 32}) {
            assertThat(run(mode, machine, "clone", flags)).isEqualTo(ALLOW);
            assertThat(run(mode, machine, "unshare", flags)).isEqualTo(ALLOW);
        }
        assertThat(run(mode, machine, "clone3", 0x1000, 88)).isEqualTo(ENOSYS);
        assertThat(run(mode, machine, "setns", 3, 0)).isEqualTo(EPERM);
        for (byte[] filter : List.of(
                SeccompFilter.assembleForSharedProcesses(mode, machine),
                SeccompFilter.assembleWithoutNamespaces(mode, machine))) {
            BpfInterpreter shared = new BpfInterpreter(filter);
            int architecture = machine.auditArchitecture();
            assertThat(shared.run(architecture, machine.number("unshare"), pad(newUser)))
                    .isEqualTo(EPERM);
            assertThat(shared.run(architecture, machine.number("clone"), pad(newUser | child)))
                    .isEqualTo(EPERM);
            assertThat(shared.run(architecture, machine.number("clone3"), pad()))
                    .isEqualTo(ENOSYS);
        }
    }

    private static int run(FilterMode mode, Machine machine, String call, long... arguments) {
        return interpreter(mode, machine).run(machine.auditArchitecture(), machine.number(call), pad(arguments));
    }

    private static long[] pad(long... arguments) {
        return java.util.Arrays.copyOf(arguments, 6);
    }

    private static BpfInterpreter interpreter(FilterMode mode, Machine machine) {
        return new BpfInterpreter(SeccompFilter.assemble(mode, machine));
    }

    @ParameterizedTest
    @MethodSource("all")
    void everyInstructionIsAsRecorded(FilterMode mode, Machine machine) throws IOException {
        String name = "/seccomp/%s-%s.txt".formatted(mode, machine).toLowerCase(Locale.ROOT);
        try (InputStream golden = SeccompFilterTest.class.getResourceAsStream(name)) {
            assertThat(golden).as(name).isNotNull();
            assertThat(interpreter(mode, machine).text())
                    .isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void callsOfAnotherArchitectureKill(FilterMode mode, Machine machine) {
        int i386 = 0x40000003;
        assertThat(interpreter(mode, machine).run(i386, 1, pad())).isEqualTo(KILL);
    }

    @ParameterizedTest
    @EnumSource(FilterMode.class)
    void secondSetOfNumbersDoesNotExist(FilterMode mode) {
        BpfInterpreter filter = interpreter(mode, Machine.X86_64);
        int amd64 = Machine.X86_64.auditArchitecture();
        for (int call : List.of(0, 41, 42, 0x3fff_ffff)) {
            assertThat(filter.run(amd64, 0x4000_0000 + call, pad(INET))).isEqualTo(ENOSYS);
        }
        assertThat(filter.run(amd64, -1, pad())).isEqualTo(ENOSYS);
        assertThat(filter.run(amd64, 0x3fff_ffff, pad())).isEqualTo(ALLOW);
    }

    @ParameterizedTest
    @EnumSource(Machine.class)
    @DisplayName("B38: socket pairs are usable with the network off, and nothing reaches beyond them")
    void restricted(Machine machine) {
        FilterMode mode = FilterMode.RESTRICTED;
        for (String call : List.of("connect", "accept", "accept4", "bind", "listen", "sendmmsg", "recvmmsg")) {
            assertThat(run(mode, machine, call)).as(call).isEqualTo(EPERM);
        }
        for (long family : List.of(INET, INET6, NETLINK, VSOCK, 17L, 38L)) {
            assertThat(run(mode, machine, "socket", family)).isEqualTo(EPERM);
            assertThat(run(mode, machine, "socketpair", family)).isEqualTo(EPERM);
        }
        assertThat(run(mode, machine, "socket", UNIX)).isEqualTo(ALLOW);
        assertThat(run(mode, machine, "socketpair", UNIX)).isEqualTo(ALLOW);
        assertThat(run(mode, machine, "sendto", 3, 0x1000, 3, 0, 0, 0)).isEqualTo(ALLOW);
        assertThat(run(mode, machine, "sendto", 3, 0x1000, 3, 0, 0x2000, 16)).isEqualTo(EPERM);
        assertThat(run(mode, machine, "sendto", 3, 0x1000, 3, 0, 0x7f00_0000_0000L, 16))
                .as("a pointer whose lower half is null")
                .isEqualTo(EPERM);
        assertThat(run(mode, machine, "ptrace")).isEqualTo(EPERM);
        assertThat(run(mode, machine, "io_uring_setup")).isEqualTo(EPERM);
    }

    @ParameterizedTest
    @EnumSource(Machine.class)
    void upperHalfOfAnAddressFamilyDoesNotHideIt(Machine machine) {
        long disguised = INET | (1L << 32);
        assertThat(run(FilterMode.RESTRICTED, machine, "socket", disguised)).isEqualTo(EPERM);
        assertThat(run(FilterMode.VM_SOCKET_RESTRICTED, machine, "socket", VSOCK | (7L << 40)))
                .isEqualTo(EPERM);
    }

    @ParameterizedTest
    @EnumSource(Machine.class)
    void proxyRouted(Machine machine) {
        FilterMode mode = FilterMode.PROXY_ROUTED;
        assertThat(run(mode, machine, "socket", INET)).isEqualTo(ALLOW);
        assertThat(run(mode, machine, "socket", INET6)).isEqualTo(ALLOW);
        assertThat(run(mode, machine, "socket", UNIX)).isEqualTo(EPERM);
        assertThat(run(mode, machine, "socket", VSOCK)).isEqualTo(EPERM);
        assertThat(run(mode, machine, "connect")).isEqualTo(ALLOW);
        assertThat(run(mode, machine, "sendto", 3, 0, 0, 0, 0x1000, 16)).isEqualTo(ALLOW);
        assertThat(run(mode, machine, "ptrace")).isEqualTo(EPERM);
        assertThat(run(FilterMode.PROXY_ROUTED_WITH_UNIX, machine, "socket", UNIX))
                .isEqualTo(ALLOW);
    }

    @ParameterizedTest
    @EnumSource(Machine.class)
    void listedUnixSocketsAreStreams(Machine machine) {
        FilterMode mode = FilterMode.PROXY_ROUTED_WITH_LISTED_UNIX;
        assertThat(run(mode, machine, "socket", UNIX, STREAM)).isEqualTo(ALLOW);
        assertThat(run(mode, machine, "socket", UNIX, STREAM | CLOEXEC_NONBLOCK))
                .isEqualTo(ALLOW);
        for (long type : List.of(DATAGRAM, DATAGRAM | CLOEXEC_NONBLOCK, RAW, SEQPACKET)) {
            assertThat(run(mode, machine, "socket", UNIX, type)).isEqualTo(EPERM);
            assertThat(run(mode, machine, "socket", INET, type)).isEqualTo(ALLOW);
        }
        assertThat(run(mode, machine, "socket", NETLINK, STREAM)).isEqualTo(EPERM);
        assertThat(run(mode, machine, "socket", VSOCK, STREAM)).isEqualTo(EPERM);
    }

    @ParameterizedTest
    @EnumSource(Machine.class)
    void behindAProxyOnlyPairsOfStreamsExist(Machine machine) {
        FilterMode mode = FilterMode.PROXY_ROUTED;
        assertThat(run(mode, machine, "socketpair", UNIX, STREAM)).isEqualTo(ALLOW);
        assertThat(run(mode, machine, "socketpair", UNIX, SEQPACKET)).isEqualTo(ALLOW);
        assertThat(run(mode, machine, "socketpair", UNIX, STREAM | CLOEXEC_NONBLOCK))
                .isEqualTo(ALLOW);
        assertThat(run(mode, machine, "socketpair", UNIX, DATAGRAM)).isEqualTo(EPERM);
        assertThat(run(mode, machine, "socketpair", UNIX, DATAGRAM | CLOEXEC_NONBLOCK))
                .isEqualTo(EPERM);
        assertThat(run(mode, machine, "socketpair", UNIX, RAW))
                .as("made a datagram socket by the kernel")
                .isEqualTo(EPERM);
        assertThat(run(mode, machine, "socketpair", INET, STREAM)).isEqualTo(EPERM);
        assertThat(run(FilterMode.PROXY_ROUTED_WITH_LISTED_UNIX, machine, "socketpair", UNIX, DATAGRAM))
                .isEqualTo(EPERM);
        assertThat(run(FilterMode.PROXY_ROUTED_WITH_UNIX, machine, "socketpair", UNIX, DATAGRAM))
                .isEqualTo(ALLOW);
    }

    @ParameterizedTest
    @EnumSource(Machine.class)
    void vmSocketRestricted(Machine machine) {
        FilterMode mode = FilterMode.VM_SOCKET_RESTRICTED;
        for (long family : List.of(UNIX, INET, INET6, NETLINK)) {
            assertThat(run(mode, machine, "socket", family)).isEqualTo(ALLOW);
        }
        assertThat(run(mode, machine, "socket", VSOCK)).isEqualTo(EPERM);
        assertThat(run(mode, machine, "ptrace")).isEqualTo(ALLOW);
        assertThat(run(mode, machine, "io_uring_enter")).isEqualTo(EPERM);
        assertThat(run(mode, machine, "keyctl")).isEqualTo(EPERM);
    }

    @ParameterizedTest
    @MethodSource("all")
    void nobodyTypesForTheUserOfATerminal(FilterMode mode, Machine machine) {
        for (long request : List.of(0x5412L, 0x541cL, 0x1_0000_5412L)) {
            assertThat(run(mode, machine, "ioctl", 0, request)).isEqualTo(EPERM);
        }
        for (long request : List.of(0x5401L, 0x5413L, 0x541bL)) {
            assertThat(run(mode, machine, "ioctl", 0, request)).isEqualTo(ALLOW);
        }
    }

    @Test
    void bothMachinesKnowTheSameCalls() {
        Set<String> denied = Set.copyOf(Stream.of(FilterMode.values())
                .flatMap(mode -> mode.denied().stream())
                .toList());
        for (String call : denied) {
            assertThat(Machine.X86_64.number(call)).isPositive();
            assertThat(Machine.AARCH64.number(call)).isPositive();
        }
    }
}
