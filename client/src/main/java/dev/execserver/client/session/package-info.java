/**
 * Sessions of the same principal: their list, and their processes as observers see them.
 *
 * <p>Start at {@link dev.execserver.client.session.SessionMethods}. Calls block on the caller's thread; no locks.
 */
package dev.execserver.client.session;
