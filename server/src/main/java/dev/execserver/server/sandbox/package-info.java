/**
 * Sandboxes of requests: the machine's features, the operator's floor, resolving and planning, the server's state
 * folders. Start at {@link dev.execserver.server.sandbox.Sandboxes}.
 *
 * <p>Request threads wait for the checks of the machine, which run on a platform thread of their own, and again only
 * after an incomplete run. File workers resolve, plan and launch. One lock, in {@code HostExamination}, guards which run is
 * the latest.
 */
package dev.execserver.server.sandbox;
