/**
 * Client side of the rules for programs: questions to the client, and reports of decisions.
 *
 * <p>Start at {@link dev.execserver.client.exec.ExecApprovals}. A question is answered on a virtual thread of its own; the reader
 * thread of the connection reports. No locks.
 */
package dev.execserver.client.exec;
