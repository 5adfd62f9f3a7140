package dev.execserver.sandbox.network;

import dev.execserver.sandbox.linux.LocalSockets;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The proxies that the variables of a command name, and the variables rewritten for the sandbox. Inside, each loopback proxy
 * has a port of the command's own loopback address. Other values stay as they are, and lead nowhere inside. Immutable.
 *
 * @param environment environment of the command, rewritten
 * @param endpoints targets of the routes, each once
 * @param innerPorts ports inside of the sandbox, in the order of the endpoints
 */
public record ProxyRoutes(Map<String, String> environment, List<ProxyEndpoint> endpoints, List<Integer> innerPorts) {
    /** Largest number of different proxies of one command. */
    public static final int MAX_ROUTES = 16;

    /** First inner port. It is above ip_local_port_range, so the kernel gives these ports to no other socket by chance. */
    static final int FIRST_PORT = 61001;

    private static final Set<String> NAMES = Set.of(
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "WS_PROXY",
            "WSS_PROXY",
            "ALL_PROXY",
            "FTP_PROXY",
            "YARN_HTTP_PROXY",
            "YARN_HTTPS_PROXY",
            "NPM_CONFIG_HTTP_PROXY",
            "NPM_CONFIG_HTTPS_PROXY",
            "NPM_CONFIG_PROXY",
            "BUNDLE_HTTP_PROXY",
            "BUNDLE_HTTPS_PROXY",
            "PIP_PROXY",
            "DOCKER_HTTP_PROXY",
            "DOCKER_HTTPS_PROXY");

    public ProxyRoutes {
        environment = Map.copyOf(environment);
        endpoints = List.copyOf(endpoints);
        innerPorts = List.copyOf(innerPorts);
    }

    /**
     * Finds the proxies.
     *
     * @param allowedPorts ports that a proxy may have; empty for any
     * @throws PolicyRefusedException if there is no usable proxy, or one that is not allowed; do not start the command then
     */
    public static ProxyRoutes of(Map<String, String> environment, List<Integer> allowedPorts) {
        Map<String, ProxyUrl> found = new LinkedHashMap<>();
        boolean any = false;
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            if (!names(variable.getKey()) || variable.getValue().isBlank()) {
                continue;
            }
            any = true;
            ProxyUrl.parse(variable.getValue())
                    .filter(url -> ProxyEndpoint.loopback(url.host()))
                    .ifPresent(url -> found.put(variable.getKey(), url));
        }
        if (!any) {
            throw new PolicyRefusedException(
                    "managed proxy mode requires proxy environment variables, such as HTTP_PROXY");
        }
        if (found.isEmpty()) {
            throw new PolicyRefusedException("managed proxy mode requires parseable loopback proxy endpoints, such as"
                    + " HTTP_PROXY=http://127.0.0.1:3128; no variable of the command has one");
        }
        found.forEach((name, url) -> check(name, url, allowedPorts));
        return rewritten(environment, found);
    }

    /** Returns true if a variable names a proxy, in any letter case. */
    static boolean names(String variable) {
        return NAMES.contains(variable.toUpperCase(Locale.ROOT));
    }

    private static void check(String name, ProxyUrl url, List<Integer> allowedPorts) {
        if (url.port() == 0) {
            throw new PolicyRefusedException(
                    "managed proxy mode requires parseable loopback proxy endpoints; " + name + " has port 0");
        }
        if (!allowedPorts.isEmpty() && !allowedPorts.contains(url.port())) {
            throw new PolicyRefusedException("proxy endpoint is outside the managed sandbox context: port " + url.port()
                    + " of " + name + " is not among the declared loopbackPorts");
        }
    }

    private static ProxyRoutes rewritten(Map<String, String> environment, Map<String, ProxyUrl> found) {
        List<ProxyEndpoint> endpoints = found.values().stream()
                .map(url -> ProxyEndpoint.of(url.host(), url.port()))
                .distinct()
                .toList();
        if (endpoints.size() > MAX_ROUTES) {
            throw new PolicyRefusedException("the variables of the command name " + endpoints.size()
                    + " different proxies, more than the " + MAX_ROUTES + " that a sandbox can have");
        }
        List<Integer> ports = innerPorts(endpoints);
        Map<String, String> changed = new LinkedHashMap<>(environment);
        found.forEach((name, url) -> {
            int index = endpoints.indexOf(ProxyEndpoint.of(url.host(), url.port()));
            changed.put(name, url.at(ports.get(index)));
        });
        return new ProxyRoutes(changed, endpoints, ports);
    }

    /**
     * Chooses the inner ports. No inner port is the port of a proxy. So a program that uses an address from elsewhere is
     * refused instead of reaching another proxy.
     */
    private static List<Integer> innerPorts(List<ProxyEndpoint> endpoints) {
        List<Integer> outer = endpoints.stream().map(ProxyEndpoint::port).toList();
        List<Integer> ports = new ArrayList<>();
        for (int port = FIRST_PORT; ports.size() < endpoints.size(); port++) {
            if (!outer.contains(port)) {
                ports.add(port);
            }
        }
        return ports;
    }

    /** Returns an inner port that is neither one of the routes nor the port of a proxy. */
    public int freePort() {
        List<Integer> taken = new ArrayList<>(innerPorts);
        endpoints.forEach(endpoint -> taken.add(endpoint.port()));
        int port = FIRST_PORT;
        while (taken.contains(port)) {
            port++;
        }
        return port;
    }

    /**
     * Returns the sockets that the server needs in the network of the command: one for each route; to serve programs that know no proxy, also
     * one on the {@link #freePort}, one for names and, if the kernel has them, one for questions. Touches a file then.
     */
    public InnerSockets sockets(boolean transparent) {
        if (!transparent) {
            return new InnerSockets(innerPorts);
        }
        List<Integer> ports = new ArrayList<>(innerPorts);
        ports.add(freePort());
        return new InnerSockets(ports, Optional.of(NameServers.ofThisMachine()), LocalSockets.available());
    }

    /** Returns the target of an inner port. */
    public Optional<ProxyEndpoint> behind(int innerPort) {
        int index = innerPorts.indexOf(innerPort);
        return index < 0 ? Optional.empty() : Optional.of(endpoints.get(index));
    }
}
