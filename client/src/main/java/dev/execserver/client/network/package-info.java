/**
 * Client side of the network proxies of processes: questions to the client, and reports of decisions.
 *
 * <p>Start at {@link dev.execserver.client.network.NetworkPolicy}. A question is answered on a virtual thread of its
 * own; the reader thread of the connection reports decisions. No locks.
 */
package dev.execserver.client.network;
