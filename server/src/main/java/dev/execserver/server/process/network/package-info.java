/**
 * The network proxy of one process: opened by its start, asked through the client of its session, closed when the last of its
 * programs has ended.
 *
 * <p>Start reading at {@link dev.execserver.server.process.network.ProcessNetwork}. Request threads, threads of the proxy and the
 * clock enter; a lock guards the proxy and is not held while it is closed.
 */
package dev.execserver.server.process.network;
