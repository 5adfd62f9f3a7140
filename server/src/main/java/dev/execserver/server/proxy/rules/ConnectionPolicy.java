package dev.execserver.server.proxy.rules;

import dev.execserver.protocol.net.NetworkProtocol;
import dev.execserver.protocol.net.ProxyMode;
import dev.execserver.server.rules.ConnectingProgram;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which targets the process may connect to. Checks in this order: the deny list; addresses of this machine and
 * its private network; the allow list, with a question to the client for hosts to review; the client; the addresses of
 * the name; the mode. Reports every decision. Any number of threads, one for each connection; no state but counters.
 */
public final class ConnectionPolicy {

    /** The rule of what only mode {@code observe} lets through. */
    private static final String OBSERVED = "observe";

    /** The names by which programs ask for the same service of this machine. */
    private static final List<String> SAME_HOST = List.of("127.0.0.1", "localhost");

    private static final Set<String> READING_METHODS = Set.of("GET", "HEAD", "OPTIONS");

    private final ProxyPolicy policy;
    private final Questions questions;
    private final DecisionReporter reports;
    private final Resolver names;
    private final OwnPorts ownPorts;
    private final RefusalAdvisor advisor;

    public ConnectionPolicy(
            ProxyPolicy policy, Questions questions, DecisionReporter reports, Resolver names, OwnPorts ownPorts) {
        this.policy = policy;
        this.questions = questions;
        this.reports = reports;
        this.names = names;
        this.ownPorts = ownPorts;
        this.advisor = new RefusalAdvisor(policy.lists());
    }

    /** The rule that has allowed a host. {@code override} is true if the client has allowed it. */
    private record Permission(String rule, boolean override) {
        static final Permission BY_CLIENT = new Permission("client", true);
    }

    /** Decides about a target. Waits for the client and for name servers, each within its limit. */
    public Ruling judge(ProxyDestination target) throws InterruptedException {
        if (target.protocol() == NetworkProtocol.SOCKS5_TCP && policy.mode() == ProxyMode.LIMITED) {
            return refused(target, "mode limited", Refusal.ofMethod(), RefusalAdvisor.limited(target));
        }
        Ruling ruling = ofHost(target);
        if (!(ruling instanceof Ruling.Permitted)) {
            return ruling;
        }
        Optional<Refusal> byMode = byMode(target);
        return byMode.map(refusal -> refused(target, "mode limited", refusal, RefusalAdvisor.limited(target)))
                .orElse(ruling);
    }

    private Ruling ofHost(ProxyDestination target) throws InterruptedException {
        Optional<HostRule> denying = policy.lists().denying(target);
        if (denying.isPresent()) {
            return refused(
                    target,
                    "deny " + denying.get().text(),
                    Refusal.byLists(Refusal.DENIED),
                    advisor.denied(
                            target,
                            target.host(),
                            !closed(target) && allowing(target).isPresent()));
        }
        if (closed(target)) {
            return refused(target, "local", Refusal.byLists(Refusal.NOT_ALLOWED_LOCAL), advisor.local(target));
        }
        Optional<InetAddress> literal = HostName.literal(target.host());
        Optional<HostRule> allowing = allowing(target);
        boolean reviewed = policy.lists().reviewed(target);
        if (allowing.isPresent() && !reviewed) {
            return resolved(
                    target, literal, new Permission("allow " + allowing.get().text(), false));
        }
        if (allowing.isEmpty() && policy.mode() == ProxyMode.OBSERVE && !reviewed) {
            return observed(target, literal);
        }
        Optional<Ruling> refusal = asked(target);
        return refusal.isPresent() ? refusal.get() : resolved(target, literal, Permission.BY_CLIENT);
    }

    /** Asks the client. Returns the refusal; empty if the target is allowed. */
    private Optional<Ruling> asked(ProxyDestination target) throws InterruptedException {
        if (policy.questionLimit().isEmpty()) {
            return Optional.of(
                    refused(target, "none", Refusal.byLists(Refusal.NOT_ALLOWED), advisor.notAllowed(target)));
        }
        return questions
                .ask(target, policy.questionLimit().get())
                .map(refusal -> refused(target, "client", refusal, advisor.byClient(target, refusal)));
    }

    /** Lets a target through that the lists do not allow, and records it. What is denied or local stays so. */
    private Ruling observed(ProxyDestination target, Optional<InetAddress> literal) throws InterruptedException {
        Ruling ruling = resolved(target, literal, new Permission(OBSERVED, false));
        if (ruling instanceof Ruling.Permitted && ruling.rule().equals(OBSERVED)) {
            reports.observed(target);
        }
        return ruling;
    }

    private Optional<HostRule> allowing(ProxyDestination target) {
        return policy.lists().allowing(target).or(() -> byOtherName(target));
    }

    /** Returns the rule that allows a service of this machine by its other name. */
    private Optional<HostRule> byOtherName(ProxyDestination target) {
        List<ProxyDestination> names = policy.localBinding() && SAME_HOST.contains(target.host())
                ? SAME_HOST.stream().map(target::at).toList()
                : List.of();
        return names.stream()
                .filter(policy.lists()::namesExactly)
                .flatMap(name -> policy.lists().allowing(name).stream())
                .findFirst();
    }

    /** Returns true if the target spells out an address, or a name of this machine, that is not open to the command. */
    private boolean closed(ProxyDestination target) {
        return HostName.literal(target.host())
                        .filter(literal -> !reachable(literal, target))
                        .isPresent()
                || HostName.isLocalName(target.host()) && !localNameAllowed(target);
    }

    private Ruling resolved(ProxyDestination target, Optional<InetAddress> literal, Permission permission)
            throws InterruptedException {
        List<InetAddress> addresses;
        try {
            addresses = literal.isPresent() ? List.of(literal.get()) : names.lookUp(target.host());
        } catch (IOException e) {
            reports.permitted(target, permission.override());
            return policy.upstream(target)
                    ? new Ruling.Permitted(permission.rule(), List.of())
                    : new Ruling.Unknown(permission.rule(), e.getMessage());
        }
        for (InetAddress address : addresses) {
            Optional<HostRule> denying = policy.lists().denying(target.at(HostName.text(address)));
            if (denying.isPresent()) {
                return refused(
                        target,
                        "deny " + denying.get().text(),
                        Refusal.byLists(Refusal.DENIED),
                        advisor.denied(target, HostName.text(address), true));
            }
            boolean own = ownPorts.owns(address, target.port());
            if (own || !reachable(address, target)) {
                RefusalAdvice advice =
                        own ? RefusalAdvisor.ownPort(target) : advisor.localAddress(target, HostName.text(address));
                return refused(target, "local", Refusal.byLists(Refusal.NOT_ALLOWED_LOCAL), advice);
            }
        }
        boolean unasked = !permission.override()
                && addresses.stream().anyMatch(address -> policy.lists().reviewed(target.at(HostName.text(address))));
        Optional<Ruling> refusal = unasked ? asked(target) : Optional.empty();
        if (refusal.isPresent()) {
            return refusal.get();
        }
        Permission given = unasked ? Permission.BY_CLIENT : permission;
        reports.permitted(target, given.override());
        return new Ruling.Permitted(given.rule(), addresses);
    }

    /**
     * Returns true if the policy allows an address of this kind. Local addresses need permission to bind locally or a
     * list entry with their name; link addresses, where metadata services are, need a list entry.
     */
    private boolean reachable(InetAddress address, ProxyDestination target) {
        return switch (AddressScope.here(address)) {
            case PUBLIC -> true;
            case LOCAL ->
                policy.localBinding()
                        || policy.lists().namesExactly(target.at(HostName.text(address)))
                        || (address.isLoopbackAddress()
                                && HostName.isLocalName(target.host())
                                && localNameAllowed(target));
            case LINK -> policy.lists().namesExactly(target.at(HostName.text(address)));
        };
    }

    private boolean localNameAllowed(ProxyDestination target) {
        return policy.localBinding() || policy.lists().namesExactly(target);
    }

    private Optional<Refusal> byMode(ProxyDestination target) {
        if (policy.mode() != ProxyMode.LIMITED) {
            return Optional.empty();
        }
        if (target.protocol() == NetworkProtocol.HTTPS_CONNECT) {
            return Optional.of(Refusal.ofTunnel());
        }
        boolean reads = target.protocol() == NetworkProtocol.HTTP
                && target.method().filter(READING_METHODS::contains).isPresent();
        return reads ? Optional.empty() : Optional.of(Refusal.ofMethod());
    }

    /**
     * Returns the refusal of every connection to a name, whatever its port; empty if one could be allowed. Asks nobody and reports
     * nothing.
     *
     * @param target the name, with port 0 and without a program
     */
    public Optional<Ruling.Refused> hopeless(ProxyDestination target) {
        boolean listed = policy.lists().allowedSomewhere(target);
        Optional<HostRule> denying = policy.lists().denyingAll(target);
        if (denying.isPresent()) {
            return Optional.of(new Ruling.Refused(
                    "deny " + denying.get().text(),
                    Refusal.byLists(Refusal.DENIED),
                    advisor.denied(target, target.host(), listed)));
        }
        if (policy.mode() == ProxyMode.LIMITED) {
            return Optional.of(new Ruling.Refused("mode limited", Refusal.ofMethod(), RefusalAdvisor.limited(target)));
        }
        return policy.questionLimit().isPresent() || listed || policy.mode() == ProxyMode.OBSERVE
                ? Optional.empty()
                : Optional.of(
                        new Ruling.Refused("none", Refusal.byLists(Refusal.NOT_ALLOWED), advisor.notAllowed(target)));
    }

    /** Reports a refusal that was not reported before. */
    public void report(ProxyDestination target, Ruling.Refused refused) {
        reports.refused(target, refused);
    }

    /** Returns the name by which the rules could allow a port of this machine's loopback address to some program. */
    public Optional<String> localHost(int port) {
        return LocalNames.ALL.stream()
                .filter(host -> could(ProxyDestination.plain(host, port, Optional.empty())))
                .findFirst();
    }

    private boolean could(ProxyDestination local) {
        HostLists lists = policy.lists();
        return lists.denyingAll(local).isEmpty()
                && (lists.namesExactlyForSome(local)
                        || policy.localBinding()
                                && (policy.questionLimit().isPresent()
                                        || policy.mode() == ProxyMode.OBSERVE
                                        || lists.allowing(local).isPresent()
                                        || lists.allowedToOthers(local).isPresent()));
    }

    /** Returns the name by which a program asks for a port of this machine's loopback address: best one that is allowed to it. */
    public Optional<String> localHost(int port, Optional<ConnectingProgram> program) {
        return LocalNames.ALL.stream()
                .filter(host -> {
                    ProxyDestination local = ProxyDestination.plain(host, port, program);
                    return policy.lists().denying(local).isEmpty() && localNameAllowed(local);
                })
                .filter(host -> policy.lists()
                        .allowing(ProxyDestination.plain(host, port, program))
                        .isPresent())
                .findFirst()
                .or(() -> localHost(port));
    }

    private Ruling refused(ProxyDestination target, String rule, Refusal refusal, RefusalAdvice advice) {
        Ruling.Refused refused = new Ruling.Refused(rule, refusal, advice);
        reports.refused(target, refused);
        return refused;
    }

    /** Refuses a request that names a Unix socket, because this proxy forwards none. */
    public Ruling.Refused unixSocket(ProxyDestination target) {
        Ruling.Refused refused =
                new Ruling.Refused("unix socket", Refusal.ofUnixSocket(), RefusalAdvisor.unixSocket(target));
        reports.refused(target, refused);
        return refused;
    }
}
