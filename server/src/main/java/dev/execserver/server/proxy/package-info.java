/**
 * The network proxy of one process: HTTP and SOCKS5 on a loopback port each, what its lists and the client allow, and nothing
 * else.
 *
 * <p>Start reading at {@link dev.execserver.server.proxy.ProcessProxy}; {@link dev.execserver.server.proxy.Judge} decides,
 * {@code HttpService} and {@code SocksService} speak to the process. Threads: one virtual thread a listening socket accepts,
 * one a connection serves, a second one carries the way back; all of them park until the poller wakes them. Names are looked up on
 * {@link dev.execserver.server.concurrent.NameLookups}. Locks: that of {@code OpenConnections}, over its set; that of
 * {@code Watch}, over its timer. Neither is held during I/O.
 */
package dev.execserver.server.proxy;
