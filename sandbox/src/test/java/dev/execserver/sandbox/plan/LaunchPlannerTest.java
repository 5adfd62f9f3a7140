package dev.execserver.sandbox.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.protocol.permissions.NetworkPolicy;
import dev.execserver.sandbox.bwrap.BwrapProgram;
import dev.execserver.sandbox.network.InnerSockets;
import dev.execserver.sandbox.paths.FileId;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.probe.HostCapabilities;
import dev.execserver.sandbox.probe.Wsl;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.resolve.ResolvedPolicy.Kind;
import dev.execserver.sandbox.resolve.Rule;
import dev.execserver.sandbox.resolve.RuleTarget;
import dev.execserver.sandbox.seccomp.FilterMode;
import dev.execserver.sandbox.spawn.Launch;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LaunchPlannerTest {
    private static final LinuxPath CWD = LinuxPath.of("/work");
    private static final BwrapProgram BWRAP = program("/usr/bin/bwrap", Launch.plain("/usr/bin/bwrap"));
    private static final Optional<String> WORKS = Optional.empty();
    private static final Optional<String> DENIED = Optional.of("No permissions to create new namespace");

    private static HostCapabilities host(
            List<BwrapProgram> programs, Optional<String> namespaces, int landlock, Wsl wsl) {
        return host(programs, namespaces, landlock, wsl, true);
    }

    private static HostCapabilities host(
            List<BwrapProgram> programs, Optional<String> namespaces, int landlock, Wsl wsl, boolean standIn) {
        return new HostCapabilities(
                programs,
                namespaces,
                namespaces,
                true,
                true,
                true,
                landlock == 0 ? OptionalInt.empty() : OptionalInt.of(landlock),
                standIn,
                wsl,
                Optional.empty(),
                List.of(),
                true);
    }

    private static LaunchPlan plan(HostCapabilities host, ResolvedPolicy policy, boolean landlock) {
        return new LaunchPlanner(host, PlanOptions.DEFAULT).plan(policy, CWD, landlock);
    }

    private static final HostCapabilities GOOD = host(List.of(BWRAP), WORKS, 7, Wsl.NONE);
    private static final HostCapabilities NO_NAMESPACES = host(List.of(BWRAP), DENIED, 7, Wsl.NONE);

    private static Rule rule(String path, Access access) {
        return new Rule(
                LinuxPath.of(path),
                access,
                Rule.Origin.ENTRY,
                new RuleTarget.Directory(new FileId(1, path.hashCode()), false));
    }

    private static BwrapProgram program(String path, Launch launch) {
        return new BwrapProgram(LinuxPath.of(path), launch, BwrapProgram.Origin.SYSTEM, "bubblewrap 0.8.0", Set.of());
    }

    private static ResolvedPolicy restricted(NetworkPolicy network, Rule... rules) {
        List<Rule> sorted =
                Stream.of(rules).sorted((a, b) -> a.path().compareTo(b.path())).toList();
        return new ResolvedPolicy(
                Kind.RESTRICTED, network, true, false, false, sorted, List.of(), List.of(), List.of());
    }

    private static final ResolvedPolicy READ_ONLY = restricted(NetworkPolicy.RESTRICTED, rule("/", Access.READ));
    private static final ResolvedPolicy WORKSPACE = restricted(
            NetworkPolicy.RESTRICTED,
            rule("/", Access.READ),
            rule("/work", Access.WRITE),
            rule("/work/.git", Access.READ));

    private static ResolvedPolicy open(Kind kind, NetworkPolicy network) {
        return new ResolvedPolicy(kind, network, true, true, false, List.of(), List.of(), List.of(), List.of());
    }

    private static LaunchPlan proxied(HostCapabilities host, ResolvedPolicy policy, boolean landlock, boolean unix) {
        return new LaunchPlanner(host, PlanOptions.DEFAULT)
                .plan(
                        policy,
                        CWD,
                        landlock,
                        new ProxiedNetwork(
                                new InnerSockets(List.of(61001)),
                                unix ? ProxiedNetwork.UnixUse.ALL : ProxiedNetwork.UnixUse.PAIRS));
    }

    @Test
    void proxiesAreTheOnlyNetworkWhateverThePolicySays() {
        for (NetworkPolicy network : NetworkPolicy.values()) {
            for (ResolvedPolicy policy :
                    List.of(restricted(network, rule("/", Access.READ)), open(Kind.UNRESTRICTED, network))) {
                assertThat(proxied(GOOD, policy, false, false))
                        .isInstanceOfSatisfying(LaunchPlan.Bubblewrap.class, made -> {
                            assertThat(made.plan().isolateNetwork()).isTrue();
                            assertThat(made.plan().doors().ports()).containsExactly(61001);
                            assertThat(made.plan().filter()).isEqualTo(FilterMode.PROXY_ROUTED);
                        });
            }
        }
        assertThat(proxied(GOOD, READ_ONLY, false, true))
                .isInstanceOfSatisfying(
                        LaunchPlan.Bubblewrap.class,
                        made -> assertThat(made.plan().filter()).isEqualTo(FilterMode.PROXY_ROUTED_WITH_UNIX));
    }

    @Test
    void withoutNamespacesThereIsNoManagedNetwork() {
        assertThatThrownBy(() -> proxied(NO_NAMESPACES, READ_ONLY, false, false))
                .isInstanceOf(SandboxRefusedException.class)
                .hasMessageContaining("cannot create the namespaces");
        assertThatThrownBy(() -> proxied(GOOD, READ_ONLY, true, false))
                .isInstanceOf(SandboxRefusedException.class)
                .hasMessageContaining("managed network needs a network namespace");
        assertThatThrownBy(() -> proxied(host(List.of(), WORKS, 7, Wsl.NONE), READ_ONLY, false, false))
                .isInstanceOf(SandboxRefusedException.class)
                .hasMessageContaining("bubblewrap is unavailable");
    }

    @Test
    void namespacesAreTheRule() {
        LaunchPlan.Bubblewrap plan = (LaunchPlan.Bubblewrap) plan(GOOD, WORKSPACE, false);

        assertThat(plan.plan().isolateNetwork()).isTrue();
        assertThat(plan.plan().filter()).isEqualTo(FilterMode.RESTRICTED);
        assertThat(plan.plan().directory()).isEqualTo(CWD);
        assertThat(plan.backend()).isEqualTo(Backend.BUBBLEWRAP);
    }

    @Test
    void openNetworkStillKeepsFromTheHypervisor() {
        LaunchPlan.Bubblewrap plan =
                (LaunchPlan.Bubblewrap) plan(GOOD, restricted(NetworkPolicy.ENABLED, rule("/", Access.READ)), false);

        assertThat(plan.plan().isolateNetwork()).isFalse();
        assertThat(plan.plan().filter()).isEqualTo(FilterMode.VM_SOCKET_RESTRICTED);
    }

    @Test
    void nothingToEnforceIsADirectStart() {
        assertThat(plan(GOOD, open(Kind.DISABLED, NetworkPolicy.ENABLED), false))
                .isInstanceOf(LaunchPlan.Direct.class);
        assertThat(plan(GOOD, open(Kind.UNRESTRICTED, NetworkPolicy.ENABLED), false))
                .isInstanceOf(LaunchPlan.Direct.class);
        assertThat(plan(GOOD, open(Kind.EXTERNAL, NetworkPolicy.ENABLED), false))
                .isInstanceOf(LaunchPlan.Direct.class);
    }

    @Test
    void externalWithoutNetworkGetsTheFilterOnly() {
        assertThat(plan(NO_NAMESPACES, open(Kind.EXTERNAL, NetworkPolicy.RESTRICTED), false))
                .isEqualTo(new LaunchPlan.FilterOnly(FilterMode.RESTRICTED));
    }

    @Test
    @DisplayName(
            "B30: where namespaces are denied Landlock stands in for what it enforces exactly, the rest is refused")
    void fallback() {
        assertThat(plan(NO_NAMESPACES, READ_ONLY, false).backend()).isEqualTo(Backend.LANDLOCK);
        assertThatThrownBy(() -> plan(NO_NAMESPACES, WORKSPACE, false))
                .isInstanceOf(SandboxRefusedException.class)
                .hasMessageContaining("No permissions to create new namespace")
                .hasMessageContaining("exec-server doctor");
    }

    @Test
    void landlockOnRequestIsRefusedWhereItWouldBeWeaker() {
        assertThat(plan(GOOD, READ_ONLY, true).backend()).isEqualTo(Backend.LANDLOCK);
        assertThatThrownBy(() -> plan(GOOD, WORKSPACE, true))
                .hasMessageContaining("/work/.git is to be read-only")
                .hasMessageContaining("incompatible with --use-legacy-landlock");
        assertThatThrownBy(() -> plan(
                        GOOD,
                        restricted(NetworkPolicy.RESTRICTED, rule("/", Access.READ), rule("/k", Access.DENY)),
                        true))
                .hasMessageContaining("/k is to be hidden");
        assertThatThrownBy(() -> plan(GOOD, restricted(NetworkPolicy.RESTRICTED, rule("/usr", Access.READ)), true))
                .hasMessageContaining("Restricted read-only access is not supported by the legacy Linux Landlock");
        assertThatThrownBy(() -> plan(host(List.of(BWRAP), WORKS, 2, Wsl.NONE), READ_ONLY, true))
                .hasMessageContaining("version 3 or newer");
    }

    @Test
    @DisplayName("B32: WSL1 is named, and nothing stands in for it")
    void wsl1() {
        assertThatThrownBy(() -> plan(host(List.of(), Optional.of("none"), 0, Wsl.WSL1), READ_ONLY, false))
                .hasMessageContaining("not supported on WSL1")
                .hasMessageContaining("use WSL2");
    }

    @Test
    void missingProgramIsRefusedWithTheRemedy() {
        assertThatThrownBy(() -> plan(host(List.of(), Optional.of("none"), 0, Wsl.NONE), WORKSPACE, false))
                .hasMessageContaining("bubblewrap is unavailable")
                .hasMessageContaining("--bwrap");
    }

    @Test
    void nothingStandsInForAProgramThatTheOperatorHasNamed() {
        Optional<String> why = Optional.of("the bwrap /nope that --bwrap names cannot be used");
        assertThat(plan(host(List.of(), why, 7, Wsl.NONE, true), READ_ONLY, false))
                .isInstanceOf(LaunchPlan.LandlockSeccomp.class);
        assertThatThrownBy(() -> plan(host(List.of(), why, 7, Wsl.NONE, false), READ_ONLY, false))
                .hasMessageContaining("/nope that --bwrap names cannot be used");
    }

    @Test
    void programThatTheCommandCouldReplaceIsNotUsed() {
        ResolvedPolicy writesPrograms =
                restricted(NetworkPolicy.RESTRICTED, rule("/", Access.READ), rule("/usr/bin", Access.WRITE));
        assertThatThrownBy(() -> plan(GOOD, writesPrograms, false)).hasMessageContaining("/usr/bin/bwrap");

        BwrapProgram other = program("/opt/bwrap", Launch.plain("/opt/bwrap"));
        LaunchPlan.Bubblewrap plan =
                (LaunchPlan.Bubblewrap) plan(host(List.of(BWRAP, other), WORKS, 7, Wsl.NONE), writesPrograms, false);
        assertThat(plan.plan().program()).isEqualTo(other);
    }

    @Test
    void programThatIsPinnedIsUsedWhateverTheCommandMayWrite() {
        ResolvedPolicy writesPrograms =
                restricted(NetworkPolicy.RESTRICTED, rule("/", Access.READ), rule("/usr/bin", Access.WRITE));
        Launch fromMemory = new Launch("/proc/7/fd/9".getBytes(StandardCharsets.UTF_8), List.of(), true);
        BwrapProgram pinned = program("/usr/bin/bwrap", fromMemory);

        LaunchPlan.Bubblewrap plan =
                (LaunchPlan.Bubblewrap) plan(host(List.of(pinned), WORKS, 7, Wsl.NONE), writesPrograms, false);
        assertThat(plan.plan().program()).isEqualTo(pinned);
    }

    @Test
    void workingDirectoryIsDeniedHiddenOrNotThere() {
        assertThatThrownBy(() -> plan(
                        GOOD,
                        restricted(NetworkPolicy.RESTRICTED, rule("/", Access.READ), rule("/work", Access.DENY)),
                        false))
                .hasMessageContaining("working directory /work is denied");
        LaunchPlan.Bubblewrap opened = (LaunchPlan.Bubblewrap) plan(
                GOOD,
                restricted(
                        NetworkPolicy.RESTRICTED,
                        rule("/", Access.READ),
                        rule("/work", Access.DENY),
                        rule("/work/sub", Access.WRITE)),
                false);
        assertThat(opened.plan().directory()).isEqualTo(CWD);
        LaunchPlan.Bubblewrap absent = (LaunchPlan.Bubblewrap)
                plan(GOOD, restricted(NetworkPolicy.RESTRICTED, rule("/usr", Access.READ)), false);
        assertThat(absent.plan().directory()).isEqualTo(LinuxPath.ROOT);
    }
}
