/**
 * Text of others on its way to a person: a terminal, a log, an error message.
 *
 * <p>Start at {@link dev.execserver.protocol.text.VisibleText}. Stateless, no threads, no locks.
 */
package dev.execserver.protocol.text;
