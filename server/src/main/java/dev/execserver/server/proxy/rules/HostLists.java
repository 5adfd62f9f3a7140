package dev.execserver.server.proxy.rules;

import dev.execserver.protocol.net.DomainRule;
import dev.execserver.protocol.net.NetworkProxySettings;
import dev.execserver.server.rules.NetworkRule;
import dev.execserver.server.rules.RuleDecision;
import dev.execserver.server.rules.RuledProgram;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Host lists of one process, for all of its programs and for single ones. Hosts without a star are found by name, patterns are tried one
 * after another. Immutable.
 */
final class HostLists {

    private final HostPatterns allowed;
    private final HostPatterns denied;
    private final HostPatterns reviewed;
    private final List<ProgramHosts> programs;
    private final RuledHosts ruled;
    /** Names of this machine: what holds for one of them holds for all. */
    private final Set<String> localNames;

    /** The lists for one program. A pattern allows only what surely comes from it, and denies what may come from it. */
    private record ProgramHosts(RuledProgram program, HostPatterns allowed, HostPatterns denied) {
        HostRule rule(HostPattern pattern) {
            return HostRule.of(pattern, program.text());
        }
    }

    /**
     * Makes lists without network rules. Touches files if there are lists for programs.
     *
     * @throws dev.execserver.protocol.rpc.RpcException -32602 for an invalid pattern or program, or for too many of them
     */
    HostLists(NetworkProxySettings settings) {
        this.allowed = new HostPatterns();
        this.denied = new HostPatterns();
        this.reviewed = new HostPatterns();
        this.programs = new ArrayList<>();
        this.ruled = new RuledHosts(List.of(), RuledProgram::of);
        int count = settings.domains().size()
                + settings.programDomains().values().stream()
                        .mapToInt(Map::size)
                        .sum()
                + settings.reviewDomains().size();
        requireAtMost(ProxyBounds.MAX_PATTERNS, count, "domain patterns");
        requireAtMost(ProxyBounds.MAX_PROGRAMS, settings.programDomains().size(), "programs with domains");
        add(settings.domains(), allowed, denied, settings.allowLocalBinding());
        settings.programDomains().forEach((path, rulesOfProgram) -> {
            requireUsable(path);
            ProgramHosts hosts = new ProgramHosts(RuledProgram.of(path), new HostPatterns(), new HostPatterns());
            add(rulesOfProgram, hosts.allowed(), hosts.denied(), settings.allowLocalBinding());
            programs.add(hosts);
        });
        settings.reviewDomains().forEach(text -> {
            HostPattern pattern = HostPattern.parse(text);
            PatternChecks.requireReachable(pattern, settings.allowLocalBinding());
            reviewed.add(pattern);
        });
        this.localNames = new LinkedHashSet<>(LocalNames.ALL);
        denied.localNames().forEach(localNames::add);
        reviewed.localNames().forEach(localNames::add);
        programs.forEach(hosts -> hosts.denied().localNames().forEach(localNames::add));
    }

    private static void requireAtMost(int limit, int count, String what) {
        if (count > limit) {
            throw HostPattern.invalid(count + " " + what + " are more than the limit of " + limit);
        }
    }

    private HostLists(HostLists other, RuledHosts ruled) {
        this.allowed = other.allowed;
        this.denied = other.denied;
        this.reviewed = other.reviewed;
        this.programs = other.programs;
        this.ruled = ruled;
        this.localNames = new LinkedHashSet<>(other.localNames);
        ruled.localNames().forEach(localNames::add);
    }

    /**
     * Returns the same lists with these rules, of which the denying ones hold before the lists.
     *
     * @param programs finds the program that a rule names
     */
    HostLists with(List<NetworkRule> rules, Function<String, RuledProgram> programs) {
        return new HostLists(this, new RuledHosts(rules, programs));
    }

    /** @throws dev.execserver.protocol.rpc.RpcException -32602 for a path by which no program is ever known */
    static void requireUsable(String program) {
        RuledProgram.flaw(program).or(() -> RuledProgram.useless(program)).ifPresent(why -> {
            throw HostPattern.invalid(why);
        });
    }

    private static void add(
            Map<String, DomainRule> rules, HostPatterns allowed, HostPatterns denied, boolean localBinding) {
        rules.forEach((text, rule) -> {
            HostPattern pattern = HostPattern.parse(text);
            switch (rule) {
                case ALLOW -> {
                    PatternChecks.requireReachable(pattern, localBinding);
                    allowed.add(pattern);
                }
                case DENY -> {
                    if (pattern.any()) {
                        throw HostPattern.invalid("invalid value for network.denied_domains: " + text
                                + " (allowed exact hosts or scoped wildcards like *.example.com or **.example.com)");
                    }
                    denied.add(pattern);
                }
                case NONE -> {}
            }
        });
    }

    private Stream<ProgramHosts> surelyOf(ProxyDestination target) {
        return programs.stream().filter(hosts -> hosts.program().is(target.program()));
    }

    private Stream<ProgramHosts> maybeOf(ProxyDestination target) {
        return programs.stream().filter(hosts -> hosts.program().maybe(target.program()));
    }

    /** Returns the target by its own name, by that of the IPv4 address that it carries, and by others of this machine. */
    private Stream<ProxyDestination> names(ProxyDestination target) {
        Stream<String> others = LocalNames.local(target.host()) ? localNames.stream() : Stream.empty();
        return Stream.of(Stream.of(target), carried(target).stream(), others.map(target::at))
                .flatMap(names -> names)
                .distinct();
    }

    /**
     * Returns the rule that denies a host by any of its names. Ignores a port in the pattern, so that it denies more rather than less.
     */
    Optional<HostRule> denying(ProxyDestination target) {
        return names(target).flatMap(name -> denyingName(name).stream()).findFirst();
    }

    private Optional<HostRule> denyingName(ProxyDestination target) {
        return denyingAll(target)
                .or(() -> maybeOf(target)
                        .flatMap(hosts -> hosts.denied().find(target.host()).map(hosts::rule).stream())
                        .findFirst())
                .or(() -> ruled.find(target, RuleDecision.FORBIDDEN));
    }

    /** Returns the rule that denies a host to every program. */
    Optional<HostRule> denyingAll(ProxyDestination target) {
        return denied.find(target.host()).map(HostRule::of).or(() -> ruled.forbiddenToAll(target));
    }

    /** Returns every rule of the deny lists that matches the host by any of its names. */
    List<HostRule> allDenying(ProxyDestination target) {
        List<HostRule> all = new ArrayList<>();
        names(target).forEach(name -> addDenying(name, all));
        return all.stream().distinct().toList();
    }

    private void addDenying(ProxyDestination target, List<HostRule> all) {
        denied.all(target.host()).forEach(pattern -> all.add(HostRule.of(pattern)));
        maybeOf(target)
                .forEach(hosts -> hosts.denied().all(target.host()).forEach(pattern -> all.add(hosts.rule(pattern))));
    }

    /** Returns the target at the IPv4 address that an IPv6 address carries. */
    private static Optional<ProxyDestination> carried(ProxyDestination target) {
        return HostName.literal(target.host())
                .flatMap(AddressScope::carried)
                .map(address -> target.at(HostName.text(address)));
    }

    /** Returns true if a network rule forbids the host by any of its names. */
    boolean forbiddenByRule(ProxyDestination target) {
        return names(target)
                .anyMatch(name -> ruled.find(name, RuleDecision.FORBIDDEN).isPresent());
    }

    /** Returns a pattern that allows the host to the program, with any port. */
    Optional<HostRule> allowedElsewhere(ProxyDestination target) {
        return allowed.find(target.host())
                .map(HostRule::of)
                .or(() -> surelyOf(target)
                        .flatMap(hosts -> hosts.allowed().find(target.host()).map(hosts::rule).stream())
                        .findFirst());
    }

    /** Returns a rule that allows the target to another program. */
    Optional<HostRule> allowedToOthers(ProxyDestination target) {
        return programs.stream()
                .flatMap(hosts -> hosts.allowed().find(target.host(), target.port()).map(hosts::rule).stream())
                .findFirst()
                .or(() -> ruled.allowedToOne(target));
    }

    /** Returns true if the host is allowed with any port, to any program. */
    boolean allowedSomewhere(ProxyDestination target) {
        return allowed.find(target.host()).isPresent()
                || programs.stream()
                        .anyMatch(hosts -> hosts.allowed().find(target.host()).isPresent())
                || ruled.find(target, RuleDecision.ALLOW).isPresent()
                || ruled.allowedToOne(target).isPresent();
    }

    Optional<HostRule> allowing(ProxyDestination target) {
        return allowed.find(target.host(), target.port())
                .map(HostRule::of)
                .or(() -> surelyOf(target)
                        .flatMap(hosts -> hosts.allowed().find(target.host(), target.port()).map(hosts::rule).stream())
                        .findFirst())
                .or(() -> ruled.find(target, RuleDecision.ALLOW));
    }

    /** Returns true if the client must be asked about a host, by whatever name it goes, although it is allowed. */
    boolean reviewed(ProxyDestination target) {
        return names(target)
                .anyMatch(name -> reviewed.find(name.host()).isPresent()
                        || ruled.find(name, RuleDecision.PROMPT).isPresent());
    }

    /** Returns true if the host is allowed by its name, not only by a pattern with a star. */
    boolean namesExactly(ProxyDestination target) {
        return allowed.names(target.host(), target.port())
                || surelyOf(target).anyMatch(hosts -> hosts.allowed().names(target.host(), target.port()))
                || ruled.find(target, RuleDecision.ALLOW).isPresent();
    }

    /** Returns true if the host is allowed so to any program. */
    boolean namesExactlyForSome(ProxyDestination target) {
        return namesExactly(target)
                || programs.stream().anyMatch(hosts -> hosts.allowed().names(target.host(), target.port()))
                || ruled.allowedToOne(target).isPresent();
    }
}
