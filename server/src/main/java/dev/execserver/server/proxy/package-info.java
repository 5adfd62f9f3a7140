/**
 * The network proxy of one process: HTTP and SOCKS5, each on a loopback port. Permits only targets that its lists or
 * the client allow.
 *
 * <p>Start reading at {@link dev.execserver.server.proxy.ProcessProxy}. {@code HttpService} and {@code SocksService} serve the
 * process; {@code rules} decides where it may connect to, {@code http} reads requests and answers.
 *
 * <p>Threads: one virtual thread for each listening socket accepts, one for each connection serves, a second one carries the way
 * back. All of them park until the poller wakes them. Locks: that of {@code OpenConnections} guards its set. It is not held during
 * I/O.
 */
package dev.execserver.server.proxy;
