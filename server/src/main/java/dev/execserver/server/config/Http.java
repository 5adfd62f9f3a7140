package dev.execserver.server.config;

import java.util.List;

/**
 * Settings of files over plain HTTP, and of HTTP requests that the server makes for its clients.
 *
 * @param allowedHosts names that the Host header of a request for a file may have, besides literal addresses
 * @param protectedEnv variables that no header of {@code http/request} may contain, besides the server's own
 * @param proxy settings for HTTP proxies before this server
 * @param console settings of the page for people
 */
public record Http(List<String> allowedHosts, List<String> protectedEnv, ReverseProxy proxy, Console console) {
    public static final Http DEFAULTS = new Http(List.of(), List.of(), ReverseProxy.DEFAULTS, Console.DEFAULTS);

    public Http {
        allowedHosts = List.copyOf(allowedHosts);
        protectedEnv = List.copyOf(protectedEnv);
    }

    public Http withAllowedHosts(List<String> hosts) {
        return new Http(hosts, protectedEnv, proxy, console);
    }

    public Http withProtectedEnv(List<String> names) {
        return new Http(allowedHosts, names, proxy, console);
    }

    public Http withProxy(ReverseProxy newProxy) {
        return new Http(allowedHosts, protectedEnv, newProxy, console);
    }

    public Http withConsole(Console newConsole) {
        return new Http(allowedHosts, protectedEnv, proxy, newConsole);
    }
}
