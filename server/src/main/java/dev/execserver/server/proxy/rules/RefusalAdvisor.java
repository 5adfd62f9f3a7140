package dev.execserver.server.proxy.rules;

import dev.execserver.protocol.net.DomainRule;
import dev.execserver.protocol.net.ProxyChange;
import dev.execserver.protocol.net.ProxyMode;
import dev.execserver.server.rules.ConnectingProgram;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Explains the refusals of one policy. Asks nobody, looks up nothing. Immutable. */
final class RefusalAdvisor {

    private final HostLists lists;

    RefusalAdvisor(HostLists lists) {
        this.lists = lists;
    }

    private static RefusalAdvice changed(ProxyDestination target, String rule, Map<String, DomainRule> domains) {
        return changed(target, rule, new ProxyChange(domains, Optional.empty()));
    }

    private static RefusalAdvice changed(ProxyDestination target, String rule, ProxyChange change) {
        return new RefusalAdvice(target, rule, Optional.of(change), Optional.empty(), false);
    }

    private static RefusalAdvice unchanged(ProxyDestination target, String rule, String remedy) {
        return new RefusalAdvice(target, rule, Optional.empty(), Optional.of(remedy), false);
    }

    /** Returns the narrowest pattern that names a target. */
    private static String exact(ProxyDestination target) {
        return target.port() == 0 ? HostName.bracketed(target.host()) : target.authority();
    }

    /**
     * Explains a target whose host, or one of whose addresses, is denied.
     *
     * @param denied the denied host or address
     * @param allowed true if the target would be allowed without the denying patterns
     */
    RefusalAdvice denied(ProxyDestination target, String denied, boolean allowed) {
        ProxyDestination deniedTarget = target.at(denied);
        if (lists.forbiddenByRule(deniedTarget)) {
            return unchanged(
                    target, "a network_rule forbids " + denied, "the rules file must be changed by those who wrote it");
        }
        List<HostRule> patterns = lists.allDenying(deniedTarget);
        Map<String, DomainRule> domains = new LinkedHashMap<>();
        Map<String, Map<String, DomainRule>> ofPrograms = new LinkedHashMap<>();
        patterns.forEach(rule -> rule.program()
                .map(path -> ofPrograms.computeIfAbsent(path, _ -> new LinkedHashMap<>()))
                .orElse(domains)
                .put(rule.pattern().text(), DomainRule.NONE));
        if (!allowed) {
            domains.put(exact(target), DomainRule.ALLOW);
        }
        String host = denied.equals(target.host()) ? "" : " one of its addresses";
        String names = String.join(
                " and ", patterns.stream().map(rule -> "`" + rule.text() + "`").toList());
        return changed(
                target,
                names + (patterns.size() == 1 ? " denies" : " deny") + (host.isEmpty() ? " it" : host),
                new ProxyChange(domains, ofPrograms, Optional.empty()));
    }

    /** Explains a target that no rule allows. */
    RefusalAdvice notAllowed(ProxyDestination target) {
        if (lists.reviewed(target) && lists.allowing(target).isPresent()) {
            return unchanged(
                    target,
                    "it is to be reviewed, and nobody is asked",
                    "take it out of reviewDomains, or set policyDecisionTimeoutMs");
        }
        Optional<HostRule> toOthers = lists.allowedToOthers(target);
        if (toOthers.isPresent()) {
            return notToThisProgram(target, toOthers.get());
        }
        String rule = lists.allowedElsewhere(target)
                .map(near -> "`" + near.text() + "` allows another port only")
                .orElse("no rule allows it");
        return changed(target, rule, Map.of(exact(target), DomainRule.ALLOW));
    }

    /** Explains a target that a rule allows to another program only. */
    private static RefusalAdvice notToThisProgram(ProxyDestination target, HostRule toOthers) {
        String rule = "`" + toOthers.pattern().text() + "` is allowed to "
                + toOthers.program().orElseThrow() + " only";
        Map<String, DomainRule> domains = Map.of(exact(target), DomainRule.ALLOW);
        return target.program()
                .filter(ConnectingProgram::named)
                .map(program -> changed(
                        target, rule, new ProxyChange(Map.of(), Map.of(program.path(), domains), Optional.empty())))
                .orElseGet(() -> changed(target, rule, domains));
    }

    /** Explains a target that spells out an address of this machine or its network. */
    RefusalAdvice local(ProxyDestination target) {
        return changed(
                target,
                "private addresses must be named exactly, without a star",
                Map.of(exact(target), DomainRule.ALLOW));
    }

    /** Explains a name that stands for such an address. The command does not learn the address. */
    RefusalAdvice localAddress(ProxyDestination target, String address) {
        String pattern = HostName.bracketed(address) + ":" + target.port();
        return new RefusalAdvice(
                target,
                "it has a private address, which must be named exactly",
                Optional.of(new ProxyChange(Map.of(pattern, DomainRule.ALLOW), Optional.empty())),
                Optional.of("an entry for that address, which the report of the exit tells"),
                true);
    }

    /** Explains a port of this server's proxies. */
    static RefusalAdvice ownPort(ProxyDestination target) {
        return new RefusalAdvice(
                target, "it is a port of this server, which nobody reaches", Optional.empty(), Optional.empty(), false);
    }

    /** Explains the refusal of the client, who was asked. */
    RefusalAdvice byClient(ProxyDestination target, Refusal refusal) {
        String rule = refusal.reason().equals(Refusal.NOT_ALLOWED)
                ? "the client did not allow it"
                : "the client did not allow it: " + refusal.reason();
        return lists.reviewed(target)
                ? unchanged(target, rule, "take it out of reviewDomains")
                : changed(target, rule, Map.of(exact(target), DomainRule.ALLOW));
    }

    /** Explains what mode {@code limited} keeps out. */
    static RefusalAdvice limited(ProxyDestination target) {
        return new RefusalAdvice(
                target,
                "mode `limited` allows only plain HTTP with GET, HEAD and OPTIONS",
                Optional.of(new ProxyChange(Map.of(), Optional.of(ProxyMode.FULL))),
                Optional.empty(),
                false);
    }

    static RefusalAdvice unixSocket(ProxyDestination target) {
        return new RefusalAdvice(
                target, "the proxy forwards no Unix sockets", Optional.empty(), Optional.empty(), false);
    }
}
