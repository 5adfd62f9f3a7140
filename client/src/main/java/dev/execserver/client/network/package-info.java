/**
 * Network proxies of processes as a client sees them: what it is asked, and what was decided.
 *
 * <p>Start at {@link dev.execserver.client.network.NetworkPolicy}. A question is answered on a virtual thread of its own;
 * decisions are told by the reader thread of the connection. No locks.
 */
package dev.execserver.client.network;
