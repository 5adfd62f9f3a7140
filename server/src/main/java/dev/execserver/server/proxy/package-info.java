/**
 * The network proxy of one process: HTTP and SOCKS5, each on a loopback port. Permits only targets that its lists or
 * the client allow.
 *
 * <p>Start reading at {@link dev.execserver.server.proxy.ProcessProxy}. {@link dev.execserver.server.proxy.ConnectionPolicy}
 * decides, {@code HttpService} and {@code SocksService} serve the process. Threads: one virtual thread for each
 * listening socket accepts, one for each connection serves, a second one carries the way back. All of them park until
 * the poller wakes them. {@link dev.execserver.server.concurrent.NameLookups} looks up names. Locks: that of
 * {@code OpenConnections} guards its set, that of {@code ConnectionTimer} its timer. Neither is held during I/O.
 */
package dev.execserver.server.proxy;
