/**
 * What a server has put on the host and its guardian has to take away when the server is killed. Start at {@link
 * dev.execserver.sandbox.ledger.Ledger}. No threads of its own; the lock of the ledger guards its free slots.
 */
package dev.execserver.sandbox.ledger;
