package dev.execserver.sandbox.connect;

import java.net.InetSocketAddress;

/**
 * A connection that a task wants to open. It was read once; what the task writes later into its memory changes nothing here.
 *
 * @param pid process of the task, as this server numbers it
 * @param destination address and port; an IPv4 address where an IPv6 address carries one
 * @param nonBlocking true if the program does not wait in connect(2)
 */
public record ConnectRequest(int pid, InetSocketAddress destination, boolean nonBlocking) {}
