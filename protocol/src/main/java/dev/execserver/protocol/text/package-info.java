/**
 * Text of other programs that is shown to people: on a terminal, in a log, in an error message.
 *
 * <p>Start at {@link dev.execserver.protocol.text.VisibleText}. Stateless, no threads, no locks.
 */
package dev.execserver.protocol.text;
