/**
 * Lists the things that a server has made on the host and its guardian must remove after the server was killed. Start at
 * {@link dev.execserver.sandbox.ledger.Ledger}. No threads of its own; the lock guards the free slots of the list.
 */
package dev.execserver.sandbox.ledger;
