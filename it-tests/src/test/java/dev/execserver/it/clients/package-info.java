/**
 * Behaviour that all clients share: one table of scenarios, which the Java, the TypeScript and the Python client go through,
 * against the packaged server and against servers that misbehave. Start at {@link dev.execserver.it.clients.ClientScenariosIT}.
 * The Java client runs in the test's own threads, the others as programs.
 */
package dev.execserver.it.clients;
