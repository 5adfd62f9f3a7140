package dev.execserver.server.process;

import dev.execserver.server.exec.ExecInterceptions;
import dev.execserver.server.proxy.NetworkProxies;
import dev.execserver.server.sandbox.Sandboxes;

/**
 * Parts of the server that limit what programs may do.
 *
 * @param sandboxes makes sandboxes for programs
 * @param proxies makes network proxies for processes
 * @param execs intercepts the programs of commands that have rules
 */
public record SandboxServices(Sandboxes sandboxes, NetworkProxies proxies, ExecInterceptions execs) {}
